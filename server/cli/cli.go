// Package cli is the command line: the server's start, and the operator's
// operations on a running or a stopped server. Results go to standard output,
// everything else to standard error; an error is one line and an exit code.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"esnaf/server"
	"esnaf/store"
)

// Version is what this program calls itself.
const Version = "0.1.0"

// The exit codes; esnaf --help explains them.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitBusy   = 3
	exitDiffer = 4
)

const about = `esnaf keeps companies, products and electronic invoices, and serves them over HTTP.

Try it:     esnaf serve --demo
Run it:     esnaf tenant create --name ... --tax-number ... --master-email ...
            esnaf serve

Commands work on a stopped and on a running server alike. Results go to standard
output, everything else to standard error. A setting is taken from its flag, else
from its environment variable (--ready-file: ESNAF_READY_FILE), else from the
config file (ready-file: ...), else from its default; esnaf config shows which.

Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 data folder in use,
4 check or repair has found a difference (with --apply: has left one).`

// console is one run of the program.
type console struct {
	in       io.Reader
	out, err io.Writer
	settings settings
	running  bool // a command has begun: what fails now is not its spelling
}

// Main runs the command line args (without the program's name) and returns the
// exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &console{in: stdin, out: stdout, err: stderr}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(context.Background())
	if err == nil {
		return exitOK
	}
	c.note("%s", sentence(err))
	return c.exitCode(err)
}

// sentence is what is said of an error. Of a file that its sentence does not name it says
// which.
func sentence(err error) string {
	said := oneLine(store.Trouble(err))
	var at *fs.PathError
	if errors.As(err, &at) && !strings.Contains(said, at.Path) {
		said = at.Path + ": " + said
	}
	return said
}

// oneLine is the text of an error in one line; joined errors and those of YAML
// come in several.
func oneLine(err error) string {
	var lines []string
	for l := range strings.Lines(err.Error()) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "; ")
}

// exitCode tells what kind of failure err is.
func (c *console) exitCode(err error) int {
	var usage usageError
	var refused *server.Refused
	var differ differs
	switch {
	case errors.Is(err, store.ErrBusy):
		return exitBusy
	case errors.As(err, &differ):
		return exitDiffer
	case !c.running, errors.As(err, &usage), errors.As(err, &refused) && len(refused.Faults) > 0:
		return exitUsage
	}
	return exitFailed
}

// usageError is a sentence for whoever called or configured the program wrongly.
type usageError string

func (e usageError) Error() string { return string(e) }

func (c *console) root() *cobra.Command {
	root := c.group("esnaf", "A business server for small traders", about)
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd.HasSubCommands() { // flags are read first: one that is unknown may follow a command that is
			return cmp.Or(unknownCommand(cmd, cmd.Flags().Args()), flagError(err))
		}
		return flagError(err)
	})
	c.settings.everywhere(root.PersistentFlags())
	root.AddCommand(c.serve(), c.config(), c.tenant(), c.user(), c.key(), c.taxpayers(), c.importFiles(), c.check(), c.repair(), c.document(), c.receive(), c.version())
	return root
}

// group is a command that only holds others, of which one must be named.
func (c *console) group(use, short, long string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Long: long, Args: unknownCommand, RunE: func(cmd *cobra.Command, _ []string) error {
		return usageError("say what to do: " + within(cmd) + "; " + cmd.CommandPath() + " --help tells more")
	}}
	cmd.AddCommand(commands...)
	return cmd
}

// within lists the commands of a group.
func within(group *cobra.Command) string {
	var names []string
	for _, cmd := range group.Commands() {
		names = append(names, cmd.CommandPath())
	}
	return strings.Join(names, ", ")
}

// unknownCommand says that a group has no command of this name, and which it has.
func unknownCommand(group *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usageError(fmt.Sprintf("unknown command %q for %q: there are %s", args[0], group.CommandPath(), within(group)))
}

// command is a command that does something. A failure before run is one of
// usage.
func (c *console) command(use, short string, args cobra.PositionalArgs, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
		c.running = true
		return run(cmd, args)
	}}
}

// flagError says what is wrong with a flag without the words of Go's parsers.
func flagError(err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		return badValue("--"+wrong.GetFlag().Name, wrong.GetValue(), wrong.GetFlag())
	}
	return usageError(err.Error())
}

// badValue says that a flag's value, given under name, is not of its type.
func badValue(name, value string, f *pflag.Flag) error {
	kinds := map[string]string{"bool": "true or false", "duration": "a duration such as 90s or 15m", "int": "a whole number", "stringSlice": "a list such as 10.1.0.0/16,10.2.0.0/16", "string": "a text"}
	return usageError(fmt.Sprintf("%s cannot be %q: it must be %s", name, value, kinds[f.Value.Type()]))
}

func (c *console) version() *cobra.Command {
	return c.command("version", "Print the version", cobra.NoArgs, func(*cobra.Command, []string) error {
		platform := runtime.GOOS + "/" + runtime.GOARCH
		if c.settings.JSON {
			return c.printJSON(map[string]string{"version": Version, "go": runtime.Version(), "platform": platform})
		}
		return c.print("esnaf %s (%s, %s)\n", Version, runtime.Version(), platform)
	})
}
