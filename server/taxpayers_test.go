package server_test

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"esnaf/server"
	"esnaf/store/trade"
)

// taxpayerList writes the office's list of the aliases of one user into a ZIP file.
func taxpayerList(t *testing.T, number string, aliases ...string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "newUserPkListxml.zip")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	w, err := z.Create("newUserPkList.xml")
	if err != nil {
		t.Fatal(err)
	}
	text := `<?xml version="1.0" encoding="UTF-8"?><UserList><User><Identifier>` + number + `</Identifier><Title>Yıldız A.Ş.</Title><Type>Ozel</Type><Documents>`
	for _, a := range aliases {
		text += `<Document type="Invoice"><Alias><Name>` + a + `</Name><CreationTime>2020-01-01T00:00:00</CreationTime></Alias></Document>`
	}
	_, err = w.Write([]byte(text + "</Documents></User></UserList>"))
	if err := errors.Join(err, z.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTaxpayersImportOnARunningServer takes a list in through the control socket:
// companies change at once, and how far it is is told on the way.
func TestTaxpayersImportOnARunningServer(t *testing.T) {
	dir := t.TempDir()
	runServer(t, dir)
	command(t, dir, "tenant create", tenantParams)
	var told []int64
	ctx := server.OnProgress(t.Context(), func(done, total int64) { told = append(told, done*100/total) })
	answer, err := server.Command(ctx, dir, "taxpayers import", []byte(`{"file":"`+taxpayerList(t, "9205121120", "urn:a", "urn:b", "")+`","force":false}`))
	if want := `{"entries":2,"before":0,"added":2,"removed":0,"companies":0,"passed":1}`; err != nil || string(answer) != want {
		t.Errorf("%s %v, want %s", answer, err, want)
	}
	if len(told) == 0 || told[len(told)-1] != 100 || !slices.IsSorted(told) {
		t.Errorf("told of %v", told)
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		params string
		code   trade.Code
		says   string
	}{
		{`{"file":"","force":false}`, trade.ValidationFailed, "file is required"},
		{`{"file":"` + filepath.Join(dir, "none") + `","force":false}`, trade.BadFile, "there is no "},
		{`{"file":"` + dir + `","force":false}`, trade.BadFile, "is no regular file"},
		{`{"file":"` + pipe + `","force":false}`, trade.BadFile, "is no regular file"},
		{`{"file":"` + filepath.Join(dir, "esnaf.db") + `","force":false}`, trade.BadFile, "neither a ZIP file nor XML"},
		{`{"file":"` + taxpayerList(t, "9205121120", "urn:a") + `","force":false}`, trade.ListShrinks, "1 of the 2 entries"},
	} {
		_, err := server.Command(t.Context(), dir, "taxpayers import", []byte(row.params))
		var refused *server.Refused
		if !errors.As(err, &refused) || refused.Code != row.code || !strings.Contains(refused.Error(), row.says) {
			t.Errorf("%s: %v, want %s %q", row.params, err, row.code, row.says)
		}
	}
	if out := command(t, dir, "taxpayers import", `{"file":"`+taxpayerList(t, "9205121120", "urn:a")+`","force":true}`); out["removed"] != 1.0 {
		t.Errorf("by force: %v", out)
	}
}
