package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const taxpayerList = `<?xml version="1.0" encoding="UTF-8"?>
<UserList><User><Identifier>9205121120</Identifier><Title>Yıldız</Title><Type>OZEL</Type><Documents><Document type="Invoice"><Alias><Name>urn:mail:pk@y.example</Name><CreationTime>2020-01-01T00:00:00</CreationTime></Alias></Document></Documents></User></UserList>`

// TestTaxpayersImport takes a list in while no server runs.
func TestTaxpayersImport(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	data, list, cut := filepath.Join(folder, "data"), filepath.Join(folder, "list.xml"), filepath.Join(folder, "cut.xml")
	garbage, empty := filepath.Join(folder, "garbage.zip"), filepath.Join(folder, "empty.zip")
	for path, text := range map[string]string{list: taxpayerList, cut: taxpayerList[:300], garbage: "\x00\ngarbage", empty: "PK\x05\x06" + strings.Repeat("\x00", 18)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	esnaf(t, "tenant", "create", "--data", data, "--name", "A", "--tax-number", "1234567890", "--master-email", "a@example.com", "--master-password", "correct horse")
	relative := program(t, "taxpayers", "import", "../list.xml", "--data", data)
	relative.Dir = data
	if r := run(t, relative); r.code != 0 || r.errors != "" || r.out != "entries   1 (0 before, 1 added, 0 removed)\ncompanies 0 brought up to date\n" {
		t.Errorf("%+v", r)
	}
	if out := esnafJSON(t, "taxpayers", "import", list, "--data", data); out["entries"] != 1.0 || out["before"] != 1.0 || out["passed"] != 0.0 {
		t.Errorf("the same again: %v", out)
	}
	for _, row := range []struct {
		args string
		code int
		says string
	}{
		{"", 2, "name one file"},
		{"none.xml", 1, "there is no "},
		{cut, 1, "it ends too early"},
		{garbage, 1, "neither a ZIP file nor XML"},
		{empty, 1, "holds no XML"},
	} {
		r := run(t, program(t, append([]string{"taxpayers", "import", "--data", data}, strings.Fields(row.args)...)...))
		if r.code != row.code || r.out != "" || !strings.Contains(r.errors, row.says) || strings.Count(r.errors, "\n") != 1 {
			t.Errorf("import %s: %+v, want %d %q", row.args, r, row.code, row.says)
		}
	}
}
