package ubl

import (
	"strings"
	"testing"
)

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"nothing", "", "is empty"},
		{"no element", "<?xml version=\"1.0\"?>\n<!-- x -->", "is empty"},
		{"half a document", "<a><b></b>", "not well-formed"},
		{"crossed elements", "<a><b></a></b>", "not well-formed"},
		{"two roots", "<a></a><b></b>", "more than one root"},
		{"text after the root", "<a></a>x", "outside its root"},
		{"a bare ampersand", "<a>&</a>", "not well-formed"},
		{"an unknown entity", "<a>&nbsp;</a>", "not well-formed"},
		{"a control character", "<a>\x02</a>", "not well-formed"},
		{"a control character, written as a number", "<a>&#2;</a>", "not well-formed"},
		{"broken UTF-8", "<a>\xff</a>", "not well-formed"},
		{"another encoding", `<?xml version="1.0" encoding="ISO-8859-9"?><a></a>`, "another encoding than UTF-8"},
		{"another version", `<?xml version="1.1"?><a></a>`, "look at line 1"},
		{"an open element on the second line", "<a>\n<b></a>", "look at line 2"},
		{"a late declaration", "<a></a>" + `<?xml version="1.0"?>`, "not at the beginning"},
		{"a DOCTYPE", "<!DOCTYPE a><a></a>", "DOCTYPE"},
		{"an external entity", `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>`, "DOCTYPE"},
		{"a billion laughs", `<!DOCTYPE a [<!ENTITY l "ha"><!ENTITY m "&l;&l;&l;&l;">]><a>&m;</a>`, "DOCTYPE"},
		{"an attribute twice", `<a x="1" x="2"></a>`, "twice"},
		{"200,000 deep", strings.Repeat("<a>", 200_000), "more than 64 deep"},
		{"65 deep", strings.Repeat("<a>", 65) + strings.Repeat("</a>", 65), "more than 64 deep"},
		{"too many elements", "<a>" + strings.Repeat("<b/>", maxElements) + "</a>", "more than 200000 elements"},
		{"too many attributes", "<a" + manyAttributes(65) + "></a>", "more than 64 attributes"},
		{"a byte too much", "<a>" + strings.Repeat("x", maxDocument-6) + "</a>", "more than 4194304 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse([]byte(c.doc))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if found := Check([]byte(c.doc)); len(found) != 1 || found[0].Rule != "XML" {
				t.Errorf("Check finds %v", found)
			}
		})
	}
}

func TestParseTakes(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"a byte order mark", "\uFEFF<a>x</a>", "x"},
		{"comments and instructions", "<?xml version=\"1.0\"?><?xml-stylesheet href='x'?><!-- x --><a>x<!-- y -->z</a><!-- z -->", "xz"},
		{"CDATA", "<a><![CDATA[<b>&amp;]]></a>", "<b>&amp;"},
		{"the five entities", "<a>&lt;&gt;&amp;&quot;&apos;&#x41;</a>", `<>&"'A`},
		{"emoji", "<a>😀</a>", "😀"},
		{"64 deep", strings.Repeat("<a>", 64) + strings.Repeat("</a>", 64), ""},
		{"as large as may be", "<a>" + strings.Repeat("x", maxDocument-7) + "</a>", strings.Repeat("x", maxDocument-7)},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, err := parse([]byte(c.doc))
			if err != nil {
				t.Fatal(err)
			}
			if got := root.value(); got != c.want {
				t.Errorf("got %.40q, want %.40q", got, c.want)
			}
		})
	}
}

// TestParsePrefixes reads elements by their namespace, whatever prefix they have.
func TestParsePrefixes(t *testing.T) {
	doc := golden(t, "temelfatura/vat-27")
	doc = strings.NewReplacer("cbc:", "b:", "xmlns:cbc", "xmlns:b", "<Invoice xmlns=", "<i:Invoice xmlns:i=", "</Invoice", "</i:Invoice").Replace(doc)
	if found := Check([]byte(doc)); len(found) > 0 {
		t.Errorf("other prefixes make %v", found)
	}
	other := strings.Replace(doc, nsBasic, nsBasic+"x", 1)
	if found := Check([]byte(other)); len(found) == 0 || found[0].Rule != ruleSchema {
		t.Errorf("another namespace makes %v", found)
	}
}

func manyAttributes(n int) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(" a" + strings.Repeat("b", i) + `=""`)
	}
	return s.String()
}

// FuzzCheck reads anything and never falls: what it takes is a tree within the
// bounds, and its findings are whole.
func FuzzCheck(f *testing.F) {
	for _, doc := range bases(f) {
		f.Add([]byte(doc))
	}
	for _, doc := range []string{"", "<a/>", "<a>&x;</a>", "<!DOCTYPE a><a/>", `<Invoice xmlns="` + nsInvoice + `"/>`, "\uFEFF<a b=''>]]&gt;</a>"} {
		f.Add([]byte(doc))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		for _, found := range CheckOn(doc, "2026-09-15") {
			if found.Rule == "" || found.Message == "" || !strings.HasPrefix(found.Path, "/") {
				t.Errorf("a poor finding: %+v", found)
			}
		}
	})
}
