package wire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"esnaf/store"
	"esnaf/store/trade"
)

// page is the shape of every list.
type page struct {
	Data []struct{ ID, Name, Code string }
	Meta struct {
		Limit                   int
		HasMore                 bool
		NextCursor              *string
		Page, Total, TotalPages *int
	}
}

func (w *world) page(path string, headers ...string) page {
	w.t.Helper()
	a := w.do("GET", path, "", headers...)
	w.want(a, 200, "")
	var p page
	if err := json.Unmarshal(a.body, &p); err != nil {
		w.t.Fatalf("%v: %s", err, a.body)
	}
	return p
}

// fill makes n companies in one commit, named in an order of its own.
func (w *world) fill(tenant string, n int) {
	w.t.Helper()
	err := w.db.Write(context.Background(), store.Who{Tenant: tenant, Actor: "test"}, func(tx *store.Tx) error {
		for i := range n {
			if _, err := tx.CreateCompany(trade.Company{Name: fmt.Sprintf("Firma %03d", i*7%n)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestListParameters is P1, P7, P8 and the refusal of what a list does not know.
func TestListParameters(t *testing.T) {
	w := newWorld(t)
	for query, code := range map[string]trade.Code{
		"limit=1": "", "limit=200": "", "": "", "limit=50&q=a": "", "page=1&limit=200": "", "page=50&limit=200": "",
		"sort=createdAt": "", "sort=-createdAt": "", "sort=name": "", "sort=-updatedAt": "", "&": "",
		"createdFrom=2026-01-01T00:00:00Z": "", "createdTo=1960-01-01T00:00:00%2B03:00": "", "updatedSince=1970-01-01T00:00:00Z&sort=updatedAt": "",
		"includeDeleted=true": "", "includeDeleted=false": "", "q=" + strings.Repeat("%C4%B0", 100): "",
		"limit=0": trade.BadLimit, "limit=-1": trade.BadLimit, "limit=abc": trade.BadLimit, "limit=201": trade.BadLimit,
		"limit=1e9": trade.BadLimit, "limit=": trade.BadLimit, "limit": trade.BadLimit, "limit=%2B5": trade.BadLimit, "limit=99999999999999999999": trade.BadLimit,
		"page=0": trade.BadParameter, "page=": trade.BadParameter, "page=x": trade.BadParameter, "page=51&limit=200": trade.BadParameter, "page=99999999&limit=200": trade.BadParameter,
		"cursor=": trade.BadCursor, "cursor=abc": trade.BadCursor, "cursor=" + strings.Repeat("A", 5000): trade.BadCursor,
		"page=1&cursor=abc": trade.BadParameter,
		"limit=5&limit=5":   trade.BadParameter,
		"Limit=5":           trade.BadParameter, "nope=1": trade.BadParameter, "companyId=cmp_x": trade.BadParameter, "status=DRAFT": trade.BadParameter,
		"sort=city": trade.BadParameter, "sort=": trade.BadParameter, "sort=id": trade.BadParameter,
		"sort=name&updatedSince=2026-01-01T00:00:00Z": trade.BadParameter,
		"q=": trade.BadParameter, "q=" + strings.Repeat("a", 101): trade.BadParameter, "q=" + strings.Repeat("a", 10_000): trade.BadParameter,
		"q=%00": trade.BadParameter, "q=a%0Ab": trade.BadParameter, "q=%FF": trade.BadParameter, "q=%zz": trade.BadParameter, "%zz=1": trade.BadRequest,
		"createdFrom=2026-01-01": trade.BadParameter, "createdFrom=2026-01-01T00:00:00+03:00": trade.BadParameter, "createdFrom=": trade.BadParameter,
		"includeDeleted=1": trade.BadParameter,
	} {
		a := w.do("GET", "/api/companies?"+query, "")
		status := 200
		if code != "" {
			status = 400
		}
		if a.StatusCode != status || a.code() != code {
			t.Errorf("%.60s: %d %s", query, a.StatusCode, a.body)
			continue
		}
		w.want(a, status, code)
	}
	for query, code := range map[string]trade.Code{
		"status=DRAFT&companyId=cmp_01hzzzzzzzzzzzzzzzzzzzzzzz&from=2026-01-01&to=2026-12-31": "",
		"status=NEW": trade.BadParameter, "from=2026-1-1": trade.BadParameter, "to=2026-01-01T00:00:00Z": trade.BadParameter, "companyId=prd_01hzzzzzzzzzzzzzzzzzzzzzzz": trade.BadParameter,
	} {
		if a := w.do("GET", "/api/v1/invoices?"+query, ""); a.code() != code {
			t.Errorf("%s: %s", query, a.body)
		}
	}
}

// TestUnknownParameterIsNamed tells what a list knows instead.
func TestUnknownParameterIsNamed(t *testing.T) {
	w := newWorld(t)
	a := w.do("GET", "/api/companies?lmit=5", "")
	for _, want := range []string{"lmit", "limit", "updatedSince"} {
		if !strings.Contains(a.text("message"), want) {
			t.Errorf("%q does not name %s", a.text("message"), want)
		}
	}
}

// TestEmptyList is P10.
func TestEmptyList(t *testing.T) {
	w := newWorld(t)
	for path, want := range map[string]string{
		"/api/companies":                `{"data":[],"meta":{"limit":50,"hasMore":false,"nextCursor":null}}`,
		"/api/v1/companies?limit=7":     `{"data":[],"meta":{"limit":7,"hasMore":false,"nextCursor":null}}`,
		"/api/companies?page=3&limit=5": `{"data":[],"meta":{"limit":5,"hasMore":false,"nextCursor":null,"page":3,"total":0,"totalPages":0}}`,
		"/api/companies?q=%25":          `{"data":[],"meta":{"limit":50,"hasMore":false,"nextCursor":null}}`,
	} {
		if a := w.do("GET", path, ""); a.StatusCode != 200 || string(a.body) != want {
			t.Errorf("%s: %s", path, a.body)
		}
	}
}

// TestWalk is P2 in every order: each row once, whatever the size of pages.
func TestWalk(t *testing.T) {
	w := newWorld(t)
	w.fill(w.t1, 100)
	w.fill(w.t2, 3)
	for _, order := range []string{"", "&sort=-createdAt", "&sort=name", "&sort=-name", "&sort=code", "&sort=-updatedAt", "&updatedSince=2026-01-01T00:00:00Z", "&q=firma", "&q=firma&sort=name"} {
		seen, pages, last := map[string]bool{}, 0, ""
		path := "/api/companies?limit=7" + order
		for next := path; next != ""; pages++ {
			p := w.page(next)
			for _, c := range p.Data {
				if seen[c.ID] {
					t.Fatalf("%s: %s twice", order, c.ID)
				}
				if seen[c.ID] = true; order == "&sort=name" && c.Name < last || order == "&sort=-name" && last != "" && c.Name > last {
					t.Errorf("%s: %s after %s", order, c.Name, last)
				}
				last = c.Name
			}
			next = ""
			if p.Meta.HasMore != (p.Meta.NextCursor != nil) {
				t.Errorf("%s: hasMore without a cursor or the other way round", order)
			}
			if p.Meta.NextCursor != nil {
				next = strings.Replace(path, "limit=7", fmt.Sprintf("limit=%d", 7+pages%2), 1) + "&cursor=" + url.QueryEscape(*p.Meta.NextCursor)
			}
		}
		if len(seen) != 100 || pages != 14 {
			t.Errorf("%s: %d rows on %d pages", order, len(seen), pages)
		}
	}
	if p := w.page("/api/companies?limit=30&page=4"); len(p.Data) != 10 || *p.Meta.Total != 100 || *p.Meta.TotalPages != 4 || *p.Meta.Page != 4 || p.Meta.HasMore {
		t.Errorf("page 4: %d rows, %+v", len(p.Data), p.Meta)
	}
}

// TestForeignCursors is P5: a cursor that is not for exactly this list is no
// cursor.
func TestForeignCursors(t *testing.T) {
	w := newWorld(t)
	w.fill(w.t1, 9)
	w.fill(w.t2, 9)
	const query = "/api/companies?limit=3&sort=name"
	cursor := *w.page(query).Meta.NextCursor
	if p := w.page(query + "&cursor=" + cursor); len(p.Data) != 3 {
		t.Fatalf("the cursor does not work: %+v", p)
	}
	if p := w.page("/api/v1/companies?limit=4&sort=name&cursor=" + cursor); len(p.Data) != 4 {
		t.Error("the same list of the other interface does not know it")
	}
	for i := range cursor {
		for _, c := range []byte("A_\n") {
			changed := cursor[:i] + string(c) + cursor[i+1:]
			if changed == cursor {
				continue
			}
			if a := w.do("GET", query+"&cursor="+url.QueryEscape(changed), ""); a.code() != trade.BadCursor {
				t.Fatalf("byte %d as %q: %d %s", i, c, a.StatusCode, a.body)
			}
		}
	}
	for _, path := range []string{
		"/api/products?limit=3&sort=name", "/api/companies?limit=3", "/api/companies?limit=3&sort=-name", query + "&q=firma",
		query + "&includeDeleted=true", query + "&createdFrom=2026-01-01T00:00:00Z", query + "&createdTo=2027-01-01T00:00:00Z",
		"/api/companies?updatedSince=2026-01-01T00:00:00Z", "/api/webhooks/whk_01hzzzzzzzzzzzzzzzzzzzzzzz/deliveries?limit=3",
	} {
		w.want(w.do("GET", path+"&cursor="+cursor, ""), 400, trade.BadCursor)
	}
	w.want(w.do("GET", query+"&cursor="+cursor, "", "Authorization: Bearer "+w.t2+" usr_two all"), 400, trade.BadCursor)
	for _, longer := range []string{cursor + "A", cursor + "=", cursor + "\n", cursor[:len(cursor)-1]} {
		w.want(w.do("GET", query+"&cursor="+url.QueryEscape(longer), ""), 400, trade.BadCursor)
	}
}

// TestDeletedRows lists them only for who asks.
func TestDeletedRows(t *testing.T) {
	w := newWorld(t)
	id := w.company(`{"name":"gone"}`)
	w.company(`{"name":"here"}`)
	w.do("DELETE", "/api/companies/"+id, "")
	if p := w.page("/api/companies"); len(p.Data) != 1 {
		t.Errorf("%d rows", len(p.Data))
	}
	a := w.do("GET", "/api/companies?includeDeleted=true", "")
	if n := strings.Count(string(a.body), `"deletedAt":"2026-`); n != 1 {
		t.Errorf("%d deleted rows: %s", n, a.body)
	}
}

// TestListOf lists what is no table of records.
func TestListOf(t *testing.T) {
	w := newWorld(t)
	hook := w.do("POST", "/api/webhooks", `{"event":"company.*","url":"https://example.com/hook"}`)
	w.want(hook, 201, "")
	for range 5 {
		w.company(`{"name":"a"}`)
	}
	path := "/api/webhooks/" + hook.text("id") + "/deliveries?limit=2"
	seen := map[string]bool{}
	for next := path; next != ""; {
		p := w.page(next)
		for _, d := range p.Data {
			seen[d.ID] = true
		}
		if next = ""; p.Meta.NextCursor != nil {
			next = path + "&cursor=" + *p.Meta.NextCursor
		}
	}
	if len(seen) != 5 {
		t.Errorf("%d deliveries, want 5", len(seen))
	}
	if p := w.page(path + "&status=delivered"); len(p.Data) != 0 || p.Data == nil {
		t.Errorf("delivered: %+v", p.Data)
	}
	w.want(w.do("GET", path+"&status=lost", ""), 400, trade.BadParameter)
	w.want(w.do("GET", path+"&sort=name", ""), 400, trade.BadParameter)
	w.want(w.do("GET", "/api/webhooks/whk_01hzzzzzzzzzzzzzzzzzzzzzzz/deliveries", ""), 404, trade.RecordNotFound)
	w.want(w.do("GET", path, "", "Authorization: Bearer "+w.t2+" usr_two all"), 403, trade.CrossTenant)
}
