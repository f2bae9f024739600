package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestStockUnderConcurrency is group M of the acceptance list where it speaks of stock.
func TestStockUnderConcurrency(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.plan("unlimited")
	f.as = "one"
	f.vars["company"] = f.made("/api/companies", `{"name":"Ada Ltd","taxNumber":"9205121120","city":"Ankara","district":"Çankaya","postalCode":"06690"}`)
	f.made("/api/warehouses", `{"name":"Merkez"}`)
	f.run("M2 a hundred pieces, two hundred who want one", f.lastPieces)
	f.run("M3 shipped twice at once", f.shippedAtOnce)
	f.run("lines in opposite order", f.oppositeOrder)
}

// goods is a new product of which there are so many pieces.
func (f *fixture) goods(pieces int) string {
	f.t.Helper()
	product := f.made("/api/products", `{"name":"Defter","salePrice":"10"}`)
	f.made("/api/inventory/adjust", fmt.Sprintf(`{"productId":"%s","quantity":%d,"reason":"OPENING"}`, product, pieces))
	return product
}

// wanted is a new order of one piece of each product.
func (f *fixture) wanted(products ...string) string {
	f.t.Helper()
	var lines []string
	for _, p := range products {
		lines = append(lines, `{"productId":"`+p+`","quantity":1}`)
	}
	return f.made("/api/orders", `{"companyId":"{company}","lines":[`+strings.Join(lines, ",")+`]}`)
}

// lastPieces confirms 200 orders of one piece at once while somebody looks on.
func (f *fixture) lastPieces() {
	product := f.goods(100)
	orders := make([]string, 200)
	for i := range orders {
		orders[i] = f.wanted(product)
	}
	stop := make(chan struct{})
	var looker sync.WaitGroup
	looks := 0
	looker.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			res := f.send(f.ready("GET /api/inventory/"+product, "", ""))
			if looks++; res.status != 200 || strings.Contains(string(res.body), `"-`) {
				f.t.Errorf("while they are confirmed: %d %s", res.status, res.body)
			}
		}
	})
	tally, _ := f.parallel(len(orders), func(i int) *http.Request {
		return f.ready("POST /api/orders/"+orders[i]+"/confirm", "", "")
	})
	close(stop)
	looker.Wait()
	if tally["200"] != 100 || tally["409 insufficient_stock"] != 100 {
		f.t.Errorf("%v", tally)
	}
	f.row(row{"", "GET /api/inventory/" + product, "", "", 200, "", []string{`onHand = "100"`, `reserved = "100"`, `available = "0"`}})
	if looks == 0 {
		f.t.Error("nobody looked on")
	}
}

// shippedAtOnce ships one order from 20 clients.
func (f *fixture) shippedAtOnce() {
	product := f.goods(10)
	order := f.wanted(product)
	f.tried("POST /api/orders/"+order+"/confirm", 200)
	f.made("/api/webhooks", `{"event":"*","url":"{hook}/ship","secret":"{secret}"}`)
	tally, _ := f.parallel(20, func(int) *http.Request { return f.ready("POST /api/orders/"+order+"/ship", shipBody, "") })
	if tally["201"] != 1 || tally["409 invalid_state"] != 19 {
		f.t.Errorf("%v", tally)
	}
	f.row(row{"", "GET /api/inventory/" + product, "", "", 200, "", []string{`onHand = "9"`, `reserved = "0"`}})
	if n := f.count("/api/shipments"); n != 1 {
		f.t.Errorf("%d notes", n)
	}
	due, _, err := f.db.Errands(f.t.Context(), f.db.Clock().Now(), 10)
	if err != nil || len(due) != 1 {
		f.t.Errorf("%d documents on their way, %v", len(due), err)
	}
	f.drain()
	f.hears("order.shipped")
	f.hears("shipment.created")
}

// oppositeOrder lets 32 clients make, confirm, ship and cancel orders whose lines name
// the same two products, half of them the other way round.
func (f *fixture) oppositeOrder() {
	a, b := f.goods(1000), f.goods(1000)
	orders := make([]string, 64)
	for i := range orders {
		if orders[i] = f.wanted(a, b); i%2 == 1 {
			orders[i] = f.wanted(b, a)
		}
	}
	var all sync.WaitGroup
	for client := range 32 {
		all.Go(func() {
			for i, order := range orders[2*client : 2*client+2] {
				steps := []string{"confirm", "ship"}
				if i == 1 {
					steps[1] = "cancel"
				}
				for _, step := range steps {
					body := ""
					if step == "ship" {
						body = shipBody
					}
					if res := f.send(f.ready("POST /api/orders/"+order+"/"+step, body, "")); res.status >= 300 {
						f.t.Errorf("%s: %d %s", step, res.status, res.body)
					}
				}
			}
		})
	}
	all.Wait()
	for _, product := range []string{a, b} {
		f.row(row{"", "GET /api/inventory/" + product, "", "", 200, "", []string{`onHand = "968"`, `reserved = "0"`}})
	}
}
