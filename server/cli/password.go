package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"esnaf/store"
)

// The environment variables that are no settings: they hold passwords.
const (
	passwordVariable       = "ESNAF_PASSWORD"
	masterPasswordVariable = "ESNAF_MASTER_PASSWORD"
)

// password is where the password of an operation comes from: its flag, a file,
// an environment variable or whoever sits at the terminal. The flag is for
// scripts on one's own machine: others see it in the list of processes.
type password struct {
	name       string // of its flag
	text, file string
}

func (p *password) flags(f *pflag.FlagSet, name, variable string) {
	p.name = name
	f.StringVar(&p.text, name, "", "password, 8 to 256 characters (default: from "+variable+", or asked for on a terminal)")
	f.StringVar(&p.file, name+"-file", "", "file whose first line is the password")
}

// password returns the password, "" where nobody gives one: whether it is needed
// is judged with the other parameters.
func (c *console) password(p *password, variable, prompt string) (string, error) {
	stdin, _ := c.in.(*os.File)
	switch {
	case p.text != "" && p.file != "":
		return "", usageError(fmt.Sprintf("give --%s or --%s-file, not both", p.name, p.name))
	case p.text != "":
		return p.text, nil
	case p.file != "":
		text, err := os.ReadFile(p.file)
		if err != nil {
			return "", usageError(fmt.Sprintf("the file of --%s-file cannot be read: %v", p.name, store.Trouble(err)))
		}
		line, _, _ := strings.Cut(string(text), "\n")
		return strings.TrimSuffix(line, "\r"), nil
	case os.Getenv(variable) != "":
		return os.Getenv(variable), nil
	case stdin != nil && term.IsTerminal(int(stdin.Fd())):
		return c.askPassword(stdin, prompt)
	}
	return "", nil
}

// askPassword asks twice on the terminal, since nobody sees what is typed.
func (c *console) askPassword(stdin *os.File, prompt string) (string, error) {
	// Raw, so that ctrl-C arrives here as a character: as a signal it would leave
	// the terminal without echo.
	before, err := term.MakeRaw(int(stdin.Fd()))
	if err != nil {
		return "", fmt.Errorf("the terminal does not let a password be typed unseen: %w", err)
	}
	defer func() { _ = term.Restore(int(stdin.Fd()), before) }()
	t := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{stdin, c.err}, "")
	first, err := t.ReadPassword(prompt + ": ")
	if err != nil {
		return "", usageError("no password was given")
	}
	again, err := t.ReadPassword("The same again: ")
	if err != nil || again != first {
		return "", usageError("the two passwords differ; nothing was changed")
	}
	return first, nil
}
