package cli_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestImport brings files in while no server runs, and while one does.
func TestImport(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	made := esnafJSON(t, "tenant", "create", "--data", data, "--name", "A", "--tax-number", "1234567890", "--master-email", "a@example.com", "--master-password", "correct horse")
	tenant, _ := made["tenantId"].(string)
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	companies := write("c.csv", "Kod;Ünvan;Vergi No\nA1;Ada;1234567890\nB1;Bora;\n")
	faulty := write("f.csv", "Kod;Ünvan;Vergi No\nC1;Cem;1\nD1;Deniz;\n")
	rows := []struct {
		name, args string
		code       int
		out, says  string // parted by |
	}{
		{"a dry run", "companies " + companies + " --dry-run", 0, "2 rows: 2 to be created, 0 to be changed, 0 unchanged, 0 faulty", ""},
		{"the file", "companies " + companies, 0, "2 rows: 2 created, 0 changed, 0 unchanged, 0 faulty", ""},
		{"again", "companies " + companies, 0, "0 created, 0 changed, 2 unchanged", ""},
		{"a faulty row", "companies " + faulty, 1, "ROW  COLUMN    FAULT|2    Vergi No  taxNumber must be|2 rows: 0 created|1 faulty, 1 right but not imported", "nothing was imported: correct the file, or leave out the faulty rows with --skip-bad\n"},
		{"as JSON", "companies " + faulty + " --json", 1, `"created":0|"row":2|"column":"Vergi No"|"code":"tax_number_invalid"`, "nothing was imported"},
		{"left out", "companies " + faulty + " --skip-bad", 0, "1 created|1 faulty", ""},
		{"contacts", "contacts " + write("k.csv", "Cari Kodu,Ad\nD1,Ece\n"), 0, "1 created", ""},
		{"an unknown column", "products " + companies + " --skip-bad", 1, `"Ünvan" is not a column of this import; known are id, code (Kod), name (Ad)`, "nothing was imported: correct the titles of the file\n"},
		{"an unknown column among Turkish ones", "companies " + write("u.csv", "sep=;\rKod;Renk\rA1;mavi\r"), 1, `"Renk" is not a column of this import; known are id, code (Kod), name (Ünvan), type (Tür)`, "nothing was imported: correct the titles of the file\n"},
		{"a column twice", "companies " + write("t.csv", "name,name\na,b\n"), 1, `"name" is given twice: columns A and B are both name.`, "nothing was imported: correct the titles of the file\n"},
		{"a cell too many", "companies " + write("m.csv", "code,name\nM1,a,b\n"), 1, "Row 2 has more cells than there are titles in row 1: column C has none.", "nothing was imported"},
		{"a contact of no company", "contacts " + write("n.csv", "Firma Kodu,Ad\nYOK,Ece\n"), 1, `Firma Kodu: there is no company with the code "YOK".`, "nothing was imported"},
		{"too many rows", "companies " + write("r.csv", "name\n"+strings.Repeat("x\n", 200_001)), 1, "", "more than 200000 rows"},
		{"a damaged workbook", "companies " + write("d.xlsx", "PK\x03\x04 and no more"), 1, "", "no workbook (XLSX)"},
		{"no such file", "products none.csv", 1, "", "there is no "},
		{"no file named", "products", 2, "", "name one file"},
		{"no tenant", "products " + companies + " --tenant ten_x", 2, "", "--tenant was not found"},
	}
	try := func(t *testing.T) {
		for _, row := range rows {
			r := run(t, program(t, append([]string{"import", "--data", data, "--tenant", tenant}, strings.Fields(row.args)...)...))
			if r.code != row.code || !strings.Contains(r.errors, row.says) || row.says == "" && r.errors != "" || row.out == "" && r.out != "" {
				t.Errorf("%s: %+v, want %d %q", row.name, r, row.code, row.says)
			}
			for w := range strings.SplitSeq(row.out, "|") {
				if !strings.Contains(r.out, w) {
					t.Errorf("%s: %q does not say %q", row.name, r.out, w)
				}
			}
		}
	}
	t.Run("stopped", try)
	rows = rows[2:5] // what changes nothing any more
	s := serve(t, program(t, "serve", "--data", data, "--listen", "127.0.0.1:0"))
	t.Run("running", try)
	s.stop()
}

// piped are the files of a data folder that hold what came by a pipe.
func piped(data string) []string {
	found, _ := filepath.Glob(filepath.Join(data, "*piped*")) // no error: the pattern is right
	return found
}

// TestImportOfAPipe brings in what has no name that a server could open: a pipe, a named
// pipe, and a file that is the standard input. Nothing of it stays in the data folder.
func TestImportOfAPipe(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	data, fifo, file := filepath.Join(folder, "data"), filepath.Join(folder, "fifo"), filepath.Join(folder, "c.csv")
	tenant := createTenant(t, data)
	const text = "Kod;Ünvan\nP1;Ada\nP2;Bora\n"
	if err := errors.Join(syscall.Mkfifo(fifo, 0o600), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	try := func(t *testing.T, want string) {
		t.Helper()
		for _, row := range []struct{ name, path, text string }{{"a pipe", "/dev/stdin", text}, {"a named pipe", fifo, ""}, {"a file", "/dev/stdin", ""}} {
			cmd := program(t, "import", "companies", row.path, "--data", data, "--tenant", tenant)
			var err error
			switch {
			case row.text != "":
				cmd.Stdin = strings.NewReader(row.text)
			case row.path == fifo:
				go os.WriteFile(fifo, []byte(text), 0) // waits for its reader
			default:
				var in *os.File
				if in, err = os.Open(file); err == nil {
					defer in.Close()
					cmd.Stdin = in
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if r := run(t, cmd); r.code != 0 || !strings.Contains(r.out, want) {
				t.Errorf("%s: %+v, want %q", row.name, r, want)
			}
			want = "2 unchanged"
			if left := piped(data); len(left) > 0 {
				t.Errorf("%s: %q stays", row.name, left)
			}
		}
	}
	try(t, "2 created")
	s := serve(t, program(t, "serve", "--data", data, "--listen", "127.0.0.1:0"))
	try(t, "2 unchanged")
	list := program(t, "taxpayers", "import", "/dev/stdin", "--data", data)
	list.Stdin = strings.NewReader(taxpayerList)
	if r := run(t, list); r.code != 0 || !strings.Contains(r.out, "entries   1 ") {
		t.Errorf("a list: %+v", r)
	}
	s.stop()
	nowhere := program(t, "import", "companies", "/dev/stdin", "--data", filepath.Join(folder, "none"), "--tenant", tenant)
	nowhere.Stdin = strings.NewReader(text)
	if r := run(t, nowhere); r.code != 1 || !strings.Contains(r.errors, "there is no data in") {
		t.Errorf("without a folder: %+v", r)
	}
}

// TestImportsThatWereKilled: what one of yesterday has left of its pipe goes with the next
// start, what one reads now does not.
func TestImportsThatWereKilled(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	createTenant(t, data)
	killed, atWork := filepath.Join(data, "esnaf.db-piped-1"), filepath.Join(data, "esnaf.db-piped-2")
	yesterday := time.Now().Add(-25 * time.Hour)
	if err := errors.Join(os.WriteFile(killed, nil, 0o600), os.Chtimes(killed, yesterday, yesterday), os.WriteFile(atWork, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	serve(t, program(t, "serve", "--data", data, "--listen", "127.0.0.1:0")).stop()
	if left := piped(data); !slices.Equal(left, []string{atWork}) {
		t.Errorf("%q stay", left)
	}
}

// TestImportThatIsInterrupted stops a command whose pipe goes on for ever.
func TestImportThatIsInterrupted(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	tenant := createTenant(t, data)
	cmd := program(t, "import", "companies", "/dev/stdin", "--data", data, "--tenant", tenant)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	interrupt := func() {
		for end := time.Now().Add(patience); len(piped(data)) == 0 && time.Now().Before(end); { // until it has begun to read
			time.Sleep(time.Millisecond)
		}
		_ = cmd.Process.Signal(os.Interrupt)
	}
	if r := runWhile(t, cmd, interrupt); r.code != 1 || r.errors != "esnaf: interrupted: nothing was changed\n" {
		t.Errorf("%+v", r)
	}
	if left := piped(data); len(left) > 0 {
		t.Errorf("%q stays", left)
	}
}

// TestImportFromASocket: standard input is one for what node starts, and no path opens it.
// Who ignores SIGHUP, as under nohup, goes on.
func TestImportFromASocket(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	tenant := createTenant(t, data)
	syscall.ForkLock.RLock() // no other test's program is to hold them too
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	syscall.CloseOnExec(pair[0])
	syscall.CloseOnExec(pair[1])
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := os.NewFile(uintptr(pair[0]), "theirs"), os.NewFile(uintptr(pair[1]), "ours")
	cmd := program(t, "import", "companies", "/dev/stdin", "--data", data, "--tenant", tenant)
	cmd.Stdin, cmd.Path = theirs, "/bin/sh"
	cmd.Args = append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`, os.Args[0]}, cmd.Args[1:]...)
	r := runWhile(t, cmd, func() {
		theirs.Close()
		for end := time.Now().Add(patience); len(piped(data)) == 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Error(err)
		}
		if _, err := ours.WriteString("Kod;Ünvan\nP1;Ada\n"); err != nil {
			t.Error(err)
		}
		ours.Close()
	})
	if r.code != 0 || !strings.Contains(r.out, "1 created") {
		t.Errorf("%+v", r)
	}
}
