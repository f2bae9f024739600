package cli

import (
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"esnaf/server"
)

// showProgress draws on a terminal how far a command's operation is, and nothing
// anywhere else: a log file is no place for a bar. The function it returns takes
// the bar away again.
func (c *console) showProgress(cmd *cobra.Command, what string) (done func()) {
	screen, _ := c.err.(*os.File)
	if screen == nil || !term.IsTerminal(int(screen.Fd())) {
		return func() {}
	}
	bar := progressbar.NewOptions64(100, progressbar.OptionSetWriter(screen), progressbar.OptionSetDescription(what),
		progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30), progressbar.OptionSetPredictTime(true))
	cmd.SetContext(server.OnProgress(cmd.Context(), func(at, total int64) { // a bar that cannot be drawn is no failure
		_ = bar.Set64(at * 100 / max(total, 1))
	}))
	return func() { _ = bar.Clear() }
}
