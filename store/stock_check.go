package store

import (
	"fmt"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// stockDiff is one figure of stock that is not what the movements and reservations
// say.
type stockDiff struct {
	tenant, product, warehouse string
	lot                        string // or serial number; "" for all of the product
	figure                     string // onHand, reserved, held, value, lot, lotReserved or expires
	want, have                 int64
	day, hasDay                trade.Date // of the figure expires
}

// String tells the difference in a sentence.
func (d *stockDiff) String() string {
	of := d.product + " in " + d.warehouse + " of " + d.tenant
	if d.lot != "" {
		of = "lot or serial number " + d.lot + " of " + of
	}
	switch d.figure {
	case "expires":
		return fmt.Sprintf("%s expires on %q, by its movements on %q", of, d.hasDay, d.day)
	case "value":
		return fmt.Sprintf("the value of %s is %s, by its movements %s", of, money.Amount(d.have), money.Amount(d.want))
	}
	return fmt.Sprintf("%s: %s is %s, by what it is made of %s", of, d.figure, money.Quantity(d.have), money.Quantity(d.want))
}

// The figures of stock, each with what it has to be by the rows that it is made of.
// What orders hold is in reservations; all else in movements. A serial number is one
// piece for as long as more movements brought it than took it. The movement that came
// last says when a lot expires.
var stockFigures = []string{
	shelfFigure("onHand", "sum(quantity) AS n FROM movements", "sum(on_hand) AS n FROM stock"),
	shelfFigure("value", "sum(value) AS n FROM movements", "sum(value) AS n FROM stock"),
	shelfFigure("reserved", "sum(quantity) AS n FROM reservations", "sum(reserved) AS n FROM stock"),
	shelfFigure("held", "sum(quantity) AS n FROM reservations", "sum(held) AS n FROM movements"),
	lotFigure("lot", `SELECT tenant, product, warehouse, lot, sum(quantity) AS n FROM movements WHERE lot <> '' GROUP BY 1, 2, 3, 4
		UNION ALL SELECT tenant, product, warehouse, j.value, sum(sign(quantity)) * 1000000 FROM movements, json_each(iif(json_valid(doc), doc, '{}'), '$.serialNos') j GROUP BY 1, 2, 3, 4`, "on_hand"),
	lotFigure("lotReserved", "SELECT tenant, product, warehouse, lot, sum(quantity) AS n FROM reservations WHERE lot <> '' GROUP BY 1, 2, 3, 4", "reserved"),
	`SELECT l.tenant, l.product, l.warehouse, l.lot, 'expires', coalesce(m.day, ''), l.expires FROM lots l JOIN (
		SELECT tenant, product, lot, iif(json_valid(doc), doc, '{}') ->> '$.expiresAt' AS day, max(n) FROM movements WHERE lot <> '' AND quantity <> 0 GROUP BY 1, 2, 3
	) m ON m.tenant = l.tenant AND m.product = l.product AND m.lot = l.lot WHERE l.expires <> coalesce(m.day, '') ORDER BY 1, 2, 3, 4`,
}

// shelfFigure compares two sums of a product in a warehouse: what it has to be, and is.
func shelfFigure(name, want, have string) string {
	return `SELECT coalesce(m.tenant, s.tenant), coalesce(m.product, s.product), coalesce(m.warehouse, s.warehouse), '', '` + name + `', coalesce(m.n, 0), coalesce(s.n, 0)
		FROM (SELECT tenant, product, warehouse, ` + want + ` GROUP BY 1, 2, 3) m
		FULL JOIN (SELECT tenant, product, warehouse, ` + have + ` GROUP BY 1, 2, 3) s ON s.tenant = m.tenant AND s.product = m.product AND s.warehouse = m.warehouse
		WHERE coalesce(m.n, 0) <> coalesce(s.n, 0) ORDER BY 1, 2, 3`
}

// lotFigure compares a figure of a lot or serial number in a warehouse with a sum. They are
// not joined: of one product there may be thousands.
func lotFigure(name, sums, col string) string {
	return `SELECT tenant, product, warehouse, lot, '` + name + `', sum(want), sum(have) FROM (
		SELECT tenant, product, warehouse, lot, n AS want, 0 AS have FROM (` + sums + `)
		UNION ALL SELECT tenant, product, warehouse, lot, 0, ` + col + ` FROM lots
	) GROUP BY 1, 2, 3, 4 HAVING sum(want) <> sum(have) ORDER BY 1, 2, 3, 4`
}

// stockDiffs computes on hand, reserved, value, lots and serial numbers of every
// tenant from the rows that they are made of, and tells where they differ.
func (v *View) stockDiffs() (all []stockDiff, err error) {
	for _, text := range stockFigures {
		var row [7]any
		err := v.each(row[:], text, nil, func() bool {
			d := stockDiff{tenant: row[0].(string), product: row[1].(string), warehouse: row[2].(string), lot: fmt.Sprint(row[3]), figure: row[4].(string)}
			if d.figure == "expires" {
				d.day, d.hasDay = trade.Date(fmt.Sprint(row[5])), trade.Date(fmt.Sprint(row[6]))
			} else {
				d.want, d.have = row[5].(int64), row[6].(int64)
			}
			all = append(all, d)
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// checkStock says where stock is not what its movements and reservations say, and
// where the lots of a product are not all that there is of it.
func checkStock(v *View, differ differ) error {
	all, err := v.stockDiffs()
	for i := range all {
		differ("%s", all[i].String())
	}
	if err != nil {
		return err
	}
	var row [5]any
	return v.each(row[:], `SELECT s.tenant, s.product, s.warehouse, s.on_hand, (SELECT coalesce(sum(l.on_hand), 0) FROM lots l WHERE l.tenant = s.tenant AND l.product = s.product AND l.warehouse = s.warehouse) AS lotted
		FROM stock s JOIN products p ON p.id = s.product WHERE json_valid(p.doc) AND lotted <> iif(iif(json_valid(p.doc), p.doc, '{}') ->> '$.tracking' = 'NONE', 0, s.on_hand)`, nil, func() bool {
		differ("%v in %v of %v: onHand is %v, its lots come to %v", row[1], row[2], row[0], money.Quantity(row[3].(int64)), money.Quantity(row[4].(int64)))
		return true
	})
}
