package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestPasswordAsked types the password at a terminal: it is asked for twice and
// shown never, and ctrl-C leaves the terminal as it was.
func TestPasswordAsked(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	for _, row := range []struct {
		name, typed string
		code        int
		says        string
	}{
		{"typed twice", "correct horse\rcorrect horse\r", 0, "tenant ten_"},
		{"typed differently", "correct horse\rcorrect house\r", 2, "the two passwords differ"},
		{"ctrl-C", "corr\x03", 2, "no password was given"},
	} {
		t.Run(row.name, func(t *testing.T) {
			terminal, slave := openTerminal(t)
			before, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			cmd := program(t, "tenant", "create", "--data", dir, "--name", "A", "--tax-number", "1234567890", "--master-email", "asked@example.com")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			seen := readUntil(t, terminal, "Password of asked@example.com: ")
			if _, err := terminal.WriteString(row.typed); err != nil {
				t.Fatal(err)
			}
			seen += readUntil(t, terminal, row.says)
			_ = cmd.Wait() // the code is looked at
			after, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
			if err != nil || *after != *before {
				t.Errorf("the terminal is left as %+v, it was %+v (%v)", after, before, err)
			}
			if got := cmd.ProcessState.ExitCode(); got != row.code || strings.Contains(seen, "corr") {
				t.Errorf("exit code %d, want %d; on the screen: %q", got, row.code, seen)
			}
		})
	}
}

// openTerminal makes a pseudo terminal: what its user sees and types, and what a
// program has as its standard streams.
func openTerminal(t *testing.T) (terminal, slave *os.File) {
	t.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("skipped: no pseudo terminal can be had here: %v", err)
	}
	t.Cleanup(func() { terminal.Close() })
	if err := unix.IoctlSetPointerInt(int(terminal.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return terminal, slave
}

// readUntil reads what is on the screen up to a text.
func readUntil(t *testing.T, terminal *os.File, text string) string {
	t.Helper()
	found := make(chan string, 1)
	go func() {
		var seen bytes.Buffer
		for b := make([]byte, 256); !strings.Contains(seen.String(), text); {
			n, err := terminal.Read(b)
			if err != nil {
				break
			}
			seen.Write(b[:n])
		}
		found <- seen.String()
	}()
	select {
	case seen := <-found:
		if !strings.Contains(seen, text) {
			t.Fatalf("the screen shows %q and no %q", seen, text)
		}
		return seen
	case <-time.After(30 * time.Second):
		t.Fatalf("the screen does not show %q", text)
		return ""
	}
}
