package store

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"esnaf/store/trade"
)

// previousOf works out the plain way what changed between two documents.
func previousOf(was, is []byte) map[string]string {
	var old, now map[string]json.RawMessage
	if err := json.Unmarshal(was, &old); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(is, &now); err != nil {
		panic(err)
	}
	all := maps.Clone(old)
	maps.Copy(all, now)
	previous := map[string]string{}
	for name := range all {
		before, known := old[name]
		if !known {
			before = json.RawMessage("null")
		}
		if name != "version" && name != "updatedAt" && string(before) != string(now[name]) {
			previous[name] = string(before)
		}
	}
	return previous
}

// Whatever the texts of a record hold, what changed is told name by name.
func TestChangedTellsWhatChanged(t *testing.T) {
	text := rapid.SampledFrom([]string{"", "x", `"`, `\`, `\"`, "},{", `","a":"b"`, "[", "]", "{", "ş", "\n", "\\\\", "{\"a\":[1,2]}"})
	company := rapid.Custom(func(t *rapid.T) trade.Company {
		c := trade.Company{Name: text.Draw(t, "name"), Code: text.Draw(t, "code"), City: text.Draw(t, "city"), District: text.Draw(t, "district")}
		c.Version, c.UpdatedAt, c.Notes = rapid.Int64().Draw(t, "version"), 1, text.Draw(t, "notes")
		c.Metadata = rapid.MapOf(text, text).Draw(t, "metadata")
		c.EInvoice.Alias, c.EInvoice.Registered = text.Draw(t, "alias"), rapid.Bool().Draw(t, "registered")
		return c
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := company.Draw(t, "was"), company.Draw(t, "is")
		was, is := must(encode(&a)), must(encode(&b))
		want := previousOf(was, is)
		got := map[string]string{}
		if told := changed(was, is); told != "" {
			var members map[string]json.RawMessage
			if err := json.Unmarshal([]byte(told), &members); err != nil {
				t.Fatalf("%s: %v", told, err)
			}
			for name, value := range members {
				got[name] = string(value)
			}
		}
		if !maps.Equal(want, got) {
			t.Fatalf("between\n%s\n%s\ntold %v, want %v", was, is, got, want)
		}
	})
}

// The order is that of the record, and what is absent now comes last.
func TestChangedKeepsTheOrder(t *testing.T) {
	was, is := trade.Company{Name: "a", City: "b", Website: "c", IBAN: "d"}, trade.Company{Name: "x", City: "y", IBAN: "d"}
	is.Notes = "n"
	if got := changed(must(encode(&was)), must(encode(&is))); got != `{"notes":null,"name":"a","city":"b","website":"c"}` {
		t.Errorf("told %s", got)
	}
	if got := changed(must(encode(&was)), must(encode(&was))); got != "" {
		t.Errorf("no change is told as %s", got)
	}
}

func FuzzMembers(f *testing.F) {
	f.Add("a", "b", true)
	f.Add(`\"`, "},", false)
	f.Fuzz(func(t *testing.T, name, note string, registered bool) {
		c := trade.Company{Name: name, EInvoice: trade.Registration{Registered: registered, Alias: note}, Meta: trade.Meta{Notes: note, Metadata: map[string]string{name: note}}}
		doc, err := encode(&c)
		if err != nil {
			return // no UTF-8
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(doc, &want); err != nil {
			t.Fatal(err)
		}
		names := slices.Sorted(maps.Keys(want))
		for _, m := range members(nil, doc) {
			if string(want[string(m.name())]) != string(m.value()) {
				t.Errorf("%s is %s in %s", m.name(), m.value(), doc)
			}
			names = slices.DeleteFunc(names, func(n string) bool { return n == string(m.name()) })
		}
		if len(names) > 0 {
			t.Errorf("%q passed over in %s", names, doc)
		}
	})
}
