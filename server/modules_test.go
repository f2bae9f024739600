package server_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestLibcIsSQLitesOwn compares our version of modernc.org/libc with the one
// that the linked modernc.org/sqlite was made with: its C code is translated
// against exactly that version, and another one may corrupt data in silence.
func TestLibcIsSQLitesOwn(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.GoMod}}", "modernc.org/sqlite").Output()
	if err != nil {
		t.Fatalf("go list -m modernc.org/sqlite: %v", err)
	}
	ours, theirs := libcVersion(t, "../go.mod"), libcVersion(t, strings.TrimSpace(string(out)))
	if ours != theirs {
		t.Errorf("go.mod has modernc.org/libc %s, but modernc.org/sqlite asks for %s: go get modernc.org/libc@%s", ours, theirs, theirs)
	}
}

func libcVersion(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^(?:require)?\s*modernc\.org/libc (v\S+)`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s does not name modernc.org/libc", file)
	}
	return string(found[1])
}
