package ubl

import (
	"bytes"
	"fmt"
	"html"
	"reflect"
	"strings"
	"testing"

	"esnaf/store/trade"
)

// printed is the shipments that are printed in these tests: those of testdata, and
// one with long texts and too many pieces for a page.
func printed(t testing.TB) map[string]*trade.Shipment {
	t.Helper()
	all := map[string]*trade.Shipment{}
	for _, name := range recordNames(t, noteFolder) {
		all[name] = shipment(t, name)
	}
	long := shipment(t, "temelirsaliye/everything")
	long.Notes = strings.Repeat("Uzun bir not. ", 280)
	long.Lines[0].Name = strings.Repeat("Ş", 250)
	for i := range 500 {
		long.Lines[2].SerialNos = append(long.Lines[2].SerialNos, fmt.Sprintf("SN-%010d", i))
	}
	for len(long.Lines) < 200 {
		long.Lines = append(long.Lines, long.Lines[3])
	}
	all["long"] = long
	return all
}

// needed is what the law wants on the paper (VUK 230/5), as people read it.
func needed(s *trade.Shipment) []string {
	say := []string{
		s.Number, s.ETTN, s.IssueDate.Dotted(), s.IssueTime, s.DespatchDate.Dotted(), s.DespatchTime,
		s.Seller.Name, s.Seller.TaxNumber, s.Seller.TaxOffice, s.Seller.Address, s.Seller.District, s.Seller.City,
		s.Buyer.Name, s.Buyer.TaxNumber, s.Buyer.Address, s.Buyer.City, s.DeliveryAddress.Address, s.DeliveryAddress.Name, s.Plate, s.Notes,
	}
	say = append(say, s.TrailerPlates...)
	for _, d := range s.Drivers {
		say = append(say, d.FirstName, d.LastName, d.NationalID)
	}
	if s.Carrier != nil {
		say = append(say, s.Carrier.Name, s.Carrier.TaxNumber)
	}
	if s.Printed != nil {
		say = append(say, s.Printed.FullNumber(), s.Printed.Date.Dotted())
	}
	for _, l := range s.Lines {
		say = append(say, l.Name, l.Code, l.LotNo, string(appendTurkish(nil, l.Quantity)), unitName(l.Unit))
		say = append(say, l.SerialNos...)
	}
	return say
}

// TestDespatchHTML says everything, escaped, and asks for nothing from elsewhere.
func TestDespatchHTML(t *testing.T) {
	for name, s := range printed(t) {
		page, err := DespatchHTML(s)
		if err != nil {
			t.Fatal(err)
		}
		text := html.UnescapeString(string(page))
		for _, want := range needed(s) {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not on the page", name, want)
			}
		}
		for _, alien := range []string{"<b>", "<lazer>", "http:", "https:", "<script", "<link", "<img", "url(", "ZgotmplZ"} {
			if strings.Contains(string(page), alien) {
				t.Errorf("%s: the page has %q", name, alien)
			}
		}
		if name != "long" {
			asKept(t, strings.TrimSuffix(outFile(name), ".xml")+".html", page)
		}
		if again, _ := DespatchHTML(s); !bytes.Equal(page, again) {
			t.Errorf("%s: another page the second time", name)
		}
	}
}

// TestEveryValueIsEscaped fills each text of a note with what would be markup.
func TestEveryValueIsEscaped(t *testing.T) {
	n, canaries := new(note), 0
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			canaries++
			v.SetString(fmt.Sprintf("<i a='b' c=\"d\">{}%d&amp;+\x00", canaries))
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fallthrough
		case reflect.Array:
			for i := range v.Len() {
				fill(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		default:
			t.Fatalf("a note with a %s", v.Type())
		}
	}
	fill(reflect.ValueOf(n).Elem())
	page := string(n.page())
	for i := range canaries {
		if want := fmt.Sprintf("&lt;i a=&#39;b&#39; c=&#34;d&#34;&gt;{}%d&amp;amp;&#43;\uFFFD", i+1); !strings.Contains(page, want) {
			t.Errorf("text %d of %d is not on the page as %s", i+1, canaries, want)
		}
	}
	if canaries < 20 || strings.ContainsAny(page, "'+\x00") || strings.Contains(page, "<i") {
		t.Errorf("%d texts; something is not escaped:\n%s", canaries, page)
	}
}

// TestNoteWords are what both ways of printing say.
func TestNoteWords(t *testing.T) {
	n, err := noteOf(shipment(t, "temelirsaliye/everything"))
	if err != nil {
		t.Fatal(err)
	}
	facts := map[string]string{}
	for _, f := range n.Facts {
		facts[f.Label] = f.Text
	}
	for label, want := range map[string]string{
		"Fiili sevk tarihi": "15.09.2026 11:30:00",
		"Teslim yeri":       "Şantiye Şefi Kemal Su, Eskişehir Yolu 9. km, 06370 Yenimahalle, Ankara",
		"Şoför":             "Hasan Karadağ (TCKN 10000000146), Ümit Işık (TCKN 24681357994)",
		"Dorse plakası":     "34 DRS 001, 06abc99",
		"Taşıyıcı":          "Poyraz Kargo Taşımacılık A.Ş., VKN 7351042864, Osmancık, Çorum",
		"Mal bedeli":        "35.200,50 TRY",
		"Sipariş":           "O000002 / 10.09.2026",
	} {
		if facts[label] != want {
			t.Errorf("%s is %q, want %q", label, facts[label], want)
		}
	}
	want := goods{"1", "KGT-A4", "Fotokopi kâğıdı A4", "Parti L-2026/07 (SKT 01.02.2027)", "12,5", "Kutu"}
	if n.Goods[0] != want || n.Goods[3].Quantity != "1.500,75" || n.Goods[2].Pieces != "Seri no SN-0001, SN-0002, SN<3>" {
		t.Errorf("%+v", n.Goods)
	}
}

// TestDespatchPDF makes the same file every time, in pages as long as the goods need.
func TestDespatchPDF(t *testing.T) {
	for name, s := range printed(t) {
		file, err := DespatchPDF(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := DespatchPDF(s)
		if err != nil || !bytes.Equal(file, again) {
			t.Errorf("%s: another file the second time (%v)", name, err)
		}
		pages := bytes.Count(file, []byte("/Type /Page\n"))
		if !bytes.HasPrefix(file, []byte("%PDF-")) || pages < 1 || name == "long" && pages < 5 || name != "long" && pages != 1 {
			t.Errorf("%s: %d bytes, %d pages", name, len(file), pages)
		}
	}
}

// TestNoteOfACancelledShipment says so, instead of letting it travel.
func TestNoteOfACancelledShipment(t *testing.T) {
	s := shipment(t, "temelirsaliye/abroad")
	s.Status, s.DeliveryAddress.Country, s.Buyer.Name, s.Buyer.FirstName, s.Buyer.LastName = trade.ShipmentCancelled, "DE", "", "Max", "Muster"
	page, err := DespatchHTML(s)
	if err != nil {
		t.Fatal(err)
	}
	for want, there := range map[string]bool{"iptal edilmiştir": true, "malla birlikte taşınır": false, "Almanya": true, "Max Muster": true} {
		if strings.Contains(string(page), want) != there {
			t.Errorf("%q is on the page: %v", want, !there)
		}
	}
}

// TestPrintNeedsParties refuses a shipment that nobody has frozen.
func TestPrintNeedsParties(t *testing.T) {
	for _, change := range []func(*trade.Shipment){func(s *trade.Shipment) { s.Seller = nil }, func(s *trade.Shipment) { s.Buyer = nil }} {
		s := shipment(t, "temelirsaliye/driver")
		change(s)
		if _, err := DespatchHTML(s); trade.KindOf(err) != trade.Conflict {
			t.Errorf("the page: %v", err)
		}
		if _, err := DespatchPDF(s); trade.KindOf(err) != trade.Conflict {
			t.Errorf("the file: %v", err)
		}
	}
}
