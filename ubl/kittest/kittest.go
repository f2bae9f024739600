// Package kittest hands documents to the UBL-TR conformance kit, which judges them
// by the tax office's own schemas and schematron. It is for tests only.
package kittest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Finding is one defect the kit found. Layer is xml, xsd, sch (schematron) or calc
// (the kit's own arithmetic); Rule is the id within it.
type Finding struct{ Layer, Rule, Text string }

// Validate fails t for every finding of the kit in files (document name to
// content), and for every document that xmllint, where it is installed, cannot
// read. Without the kit it skips t, saying so. Documents are judged as they are,
// so they must hold something in place of the signature, and their dates must not
// lie after the real today.
func Validate(t testing.TB, files map[string][]byte) {
	t.Helper()
	lint(t, files)
	for name, found := range Findings(t, files) {
		for _, f := range found {
			t.Errorf("%s: %s %s: %s", name, f.Layer, f.Rule, f.Text)
		}
	}
}

// Findings is what the kit finds in each of files, nothing for a clean one. It
// skips t where the kit is not to be had.
func Findings(t testing.TB, files map[string][]byte) map[string][]Finding {
	t.Helper()
	kit := Folder(t)
	names, paths := store(t, files)
	found := map[string][]Finding{}
	for line := range strings.Lines(run(t, exec.Command(checker(t, kit), append([]string{"-kit", kit}, paths...)...))) {
		m := finding.FindStringSubmatch(line)
		if m == nil { // the text of some findings goes on for several lines
			continue
		}
		var i int
		if _, err := fmt.Sscan(m[1], &i); err != nil {
			t.Fatal(err)
		}
		if m[2] != "note" {
			found[names[i]] = append(found[names[i]], Finding{m[2], m[3], strings.TrimSpace(m[4])})
		}
	}
	return found
}

// store puts the files into a folder. Their names may have what paths must not, so
// there they are numbers.
func store(t testing.TB, files map[string][]byte) (names, paths []string) {
	t.Helper()
	dir := t.TempDir()
	names = slices.Sorted(maps.Keys(files))
	for i, name := range names {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("%d.xml", i)))
		if err := os.WriteFile(paths[i], files[name], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return names, paths
}

// finding is a line of the checker: file:line: layer rule: text [path].
var finding = regexp.MustCompile(`/(\d+)\.xml:\d+: (\S+) (\S+): (.*)`)

// Folder is the folder of the kit: ESNAF_UBL_KIT, or shared/ubl-tr beside the
// module. It skips t where there is none.
func Folder(t testing.TB) string {
	t.Helper()
	kit := os.Getenv("ESNAF_UBL_KIT")
	if kit == "" {
		dir, err := os.Getwd()
		for err == nil && dir != filepath.Dir(dir) {
			if _, none := os.Stat(filepath.Join(dir, "go.mod")); none == nil {
				break
			}
			dir = filepath.Dir(dir)
		}
		kit = filepath.Join(dir, "../shared/ubl-tr")
	}
	if _, err := os.Stat(filepath.Join(kit, "gocheck")); err != nil {
		t.Skipf("skipped: no UBL-TR kit (%v); set ESNAF_UBL_KIT to its folder", err)
	}
	return kit
}

// checker is the kit's program: ESNAF_UBL_CHECKER, or built here. The kit's folder
// may be read-only, and this module's settings are not the kit's.
func checker(t testing.TB, kit string) string {
	t.Helper()
	if program := os.Getenv("ESNAF_UBL_CHECKER"); program != "" {
		return program
	}
	program := filepath.Join(t.TempDir(), "gocheck")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".")
	build.Dir = filepath.Join(kit, "gocheck")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("skipped: the kit's checker cannot be built here: %v\n%s", err, out)
	}
	return program
}

// run is the program's output. Exit status 1 means that there are findings.
func run(t testing.TB, c *exec.Cmd) string {
	t.Helper()
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil && c.ProcessState.ExitCode() != 1 {
		t.Fatalf("%s: %v\n%s", c.Path, err, stderr.String())
	}
	return string(out)
}

// lint reads the files with a parser written by others.
func lint(t testing.TB, files map[string][]byte) {
	t.Helper()
	program, err := exec.LookPath("xmllint")
	if err != nil {
		t.Log("xmllint is not installed: left out")
		return
	}
	names, paths := store(t, files)
	if out, err := exec.Command(program, append([]string{"--noout"}, paths...)...).CombinedOutput(); err != nil {
		t.Errorf("xmllint, files numbered in the order of %q: %v\n%s", names, err, out)
	}
}
