package server_test

import (
	"testing"

	"esnaf/store/trade"
)

// What is wrong with a request about stock is told by its fields, all at once.
func TestWhatStockRefuses(t *testing.T) {
	t.Parallel()
	f := start(t)
	f.as = "one"
	f.row(row{"no warehouse yet", "POST /api/inventory/adjust", `{"productId":"` + f.made("/api/products", `{"name":"Kalem"}`) + `","quantity":1,"reason":"FOUND"}`, "", 422, trade.ValidationFailed, []string{`errors[0].field = "warehouseId"`, "errors[0].message has There is no warehouse yet"}})
	f.vars["house"] = f.made("/api/warehouses", `{"name":"Merkez"}`)
	f.vars["depot"] = f.made("/api/warehouses", `{"name":"Depo"}`)
	f.vars["goods"] = f.made("/api/products", `{"name":"Defter"}`)
	f.vars["milk"] = f.made("/api/products", `{"name":"Süt","tracking":"LOT"}`)
	f.vars["phone"] = f.made("/api/products", `{"name":"Telefon","tracking":"SERIAL"}`)
	f.vars["work"] = f.made("/api/products", `{"name":"Montaj","type":"SERVICE"}`)
	const adjust, receive, transfer = "POST /api/inventory/adjust", "POST /api/inventory/receipts", "POST /api/inventory/transfers"
	refused := trade.ValidationFailed
	f.rows([]row{
		{"all that is missing", adjust, `{}`, "", 422, refused, []string{"body has productId", "body has reason"}},
		{"neither quantity", adjust, `{"productId":"{goods}","reason":"FOUND"}`, "", 422, refused, []string{`errors[0].field = "quantity"`, `errors[0].code = "one_of_required"`}},
		{"both quantities", adjust, `{"productId":"{goods}","reason":"FOUND","quantity":1,"countedQuantity":1}`, "", 422, refused, []string{`errors[0].code = "mutually_exclusive"`}},
		{"nothing", adjust, `{"productId":"{goods}","reason":"FOUND","quantity":0}`, "", 422, refused, []string{`errors[0].code = "must_not_be_zero"`}},
		{"an unknown reason", adjust, `{"productId":"{goods}","reason":"THEFT","quantity":1}`, "", 422, refused, []string{`errors[0].field = "reason"`}},
		{"a service", adjust, `{"productId":"{work}","reason":"FOUND","quantity":1}`, "", 422, refused, []string{`errors[0].code = "not_stocked"`}},
		{"nobody's product", adjust, `{"productId":"prd_01hzzzzzzzzzzzzzzzzzzzzzzz","reason":"FOUND","quantity":1}`, "", 422, refused, []string{`errors[0].code = "not_found"`}},
		{"a lot of goods without lots", adjust, `{"productId":"{goods}","reason":"FOUND","quantity":1,"lotNo":"A"}`, "", 422, refused, []string{`errors[0].code = "not_tracked"`}},
		{"no lot", adjust, `{"productId":"{milk}","reason":"FOUND","quantity":1}`, "", 422, refused, []string{`errors[0].field = "lotNo"`}},
		{"too few serial numbers", adjust, `{"productId":"{phone}","reason":"FOUND","quantity":2,"serialNos":["a"]}`, "", 422, refused, []string{`errors[0].code = "serial_count"`, `message has 2`}},
		{"one twice", adjust, `{"productId":"{phone}","reason":"FOUND","quantity":2,"serialNos":["a","a"]}`, "", 422, refused, []string{`errors[0].field = "serialNos[1]"`}},
		{"half a piece", adjust, `{"productId":"{phone}","reason":"FOUND","quantity":"0.5","serialNos":["a"]}`, "", 422, refused, []string{`errors[0].code = "whole_pieces"`}},
		{"more than a shelf holds", adjust, `{"productId":"{goods}","reason":"FOUND","quantity":"10000000000"}`, "", 422, refused, []string{`errors[0].code = "out_of_range"`}},
		{"a cost of what is lost", adjust, `{"productId":"{goods}","reason":"LOSS","quantity":-1,"unitCost":1}`, "", 422, refused, []string{`errors[0].field = "unitCost"`, `errors[0].code = "unit_cost_not_taken"`}},
		{"a cost of what is moved", transfer, `{"fromWarehouseId":"{house}","toWarehouseId":"{depot}","lines":[{"productId":"{goods}","quantity":1,"unitCost":1}]}`, "", 422, refused, []string{`errors[0].field = "lines[0].unitCost"`}},
		{"more than a shelf may have cost", receive, `{"lines":[{"productId":"{goods}","quantity":9000000000,"unitCost":11000}]}`, "", 422, refused, []string{`errors[0].field = "lines[0].quantity"`, `errors[0].code = "amount_too_large"`}},
		{"a lot that nobody can read", receive, `{"lines":[{"productId":"{milk}","quantity":1,"lotNo":"A\u200bB"}]}`, "", 422, refused, []string{`errors[0].field = "lines[0].lotNo"`, `message has U+200B`}},
		{"a serial number that nobody can read", adjust, `{"productId":"{phone}","reason":"FOUND","quantity":1,"serialNos":["a\nb"]}`, "", 422, refused, []string{`errors[0].field = "serialNos[0]"`}},
		{"a barcode that nobody can read", "POST /api/products", `{"name":"a","barcode":"869\u200b1"}`, "", 422, refused, []string{`errors[0].field = "barcode"`}},
		{"a barcode with space around it", "POST /api/products", `{"name":"a","barcode":" 8691 "}`, "", 201, "", []string{`barcode = "8691"`}},
		{"an order's lot that nobody can read", "POST /api/orders", `{"lines":[{"productId":"{milk}","quantity":1,"lotNo":"A\u200bB"}]}`, "", 422, refused, []string{`body has lines[0].lotNo`}},
		{"a lot that is not there", adjust, `{"productId":"{milk}","reason":"LOSS","quantity":-1,"lotNo":"KAYIP"}`, "", 409, trade.InsufficientStock, []string{`message has Süt KAYIP`}},
		{"a serial number that is not there", "POST /api/inventory/issues", `{"lines":[{"productId":"{phone}","quantity":1,"serialNos":["X9"]}]}`, "", 409, trade.InsufficientStock, []string{`message has Telefon X9`}},
		{"a sheet of nothing", "POST /api/inventory/counts", `{"lines":[]}`, "", 422, refused, []string{`errors[0].field = "lines"`}},
		{"a lot on a sheet that nobody can read", "POST /api/inventory/counts", `{"lines":[{"productId":"{milk}","lotNo":"A\u200bB"}]}`, "", 422, refused, []string{`errors[0].field = "lines[0].lotNo"`}},
		{"a negative cost", receive, `{"lines":[{"productId":"{goods}","quantity":1,"unitCost":-1}]}`, "", 422, refused, []string{`errors[0].field = "lines[0].unitCost"`}},
		{"no lines", receive, `{"lines":[]}`, "", 422, refused, []string{`errors[0].field = "lines"`}},
		{"less than nothing comes", receive, `{"lines":[{"productId":"{goods}","quantity":-1}]}`, "", 422, refused, []string{`errors[0].field = "lines[0].quantity"`}},
		{"to itself", transfer, `{"fromWarehouseId":"{house}","toWarehouseId":"{house}","lines":[{"productId":"{goods}","quantity":1}]}`, "", 422, refused, []string{`errors[0].code = "same_warehouse"`}},
		{"all that is short", "POST /api/inventory/issues", `{"lines":[{"productId":"{goods}","quantity":1},{"productId":"{milk}","quantity":2},{"productId":"{phone}","quantity":1,"serialNos":["x"]}]}`, "", 409, trade.InsufficientStock, []string{`errors[0].field = "lines[0].quantity"`, `errors[1].field = "lines[1].quantity"`, `errors[2].field = "lines[2].quantity"`}},
		{"a service that is tracked", "POST /api/products", `{"name":"a","type":"SERVICE","tracking":"LOT"}`, "", 422, refused, []string{`errors[0].field = "tracking"`}},
		{"a currency twice", "POST /api/products", `{"name":"a","prices":[{"currency":"TRY","salePrice":1}]}`, "", 422, refused, []string{`errors[0].code = "given_twice"`}},
		{"no id", "GET /api/inventory/movements?productId=x", "", "", 400, trade.BadParameter, nil},
		{"no type", "GET /api/inventory/movements?type=x", "", "", 400, trade.BadParameter, nil},
		{"nobody's warehouse", "GET /api/inventory/valuation?warehouseId=whs_01hzzzzzzzzzzzzzzzzzzzzzzz", "", "", 404, trade.RecordNotFound, nil},
		{"on B as on A", "POST /api/v1/inventory/adjust", `{"productId":"{goods}","quantity":1,"reason":"FOUND"}`, "", 201, "", []string{`onHandAfter = "1"`}},
		{"no more of it than there is", "POST /api/v1/inventory/adjust", `{"productId":"{goods}","quantity":-2,"reason":"DAMAGE"}`, "", 409, trade.InsufficientStock, []string{"message has Defter"}},
	})
	f.run("a refused line leaves nothing of the others", func() {
		f.row(row{"", "POST /api/inventory/issues", `{"lines":[{"productId":"{goods}","quantity":1},{"productId":"{milk}","quantity":1}]}`, "", 409, trade.InsufficientStock, nil})
		f.row(row{"", "GET /api/inventory/{goods}", "", "", 200, "", []string{`onHand = "1"`}})
	})
}
