package server

import (
	"net/http"
	"slices"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/trade"
)

// inventory is what lies in the warehouses, and all that moves it but orders.
func inventory() wire.Resource {
	const read, update = "inventory:read", "inventory:update"
	routes := []wire.Route{
		stockOf(),
		wire.ActionWith[trade.Adjustment, trade.Movement]("/inventory/adjust", update, http.StatusCreated,
			func(tx *store.Tx, _ string, in trade.Adjustment) (store.Doc, error) { return tx.AdjustStock(in) }).
			Named("inventory.adjust", "Adjust the stock of one product").At("/inventory/movements"),
		goods("/inventory/receipts", "Receive goods into a warehouse", (*store.Tx).ReceiveGoods),
		goods("/inventory/issues", "Take goods out of a warehouse, other than for an order", (*store.Tx).IssueGoods),
		goods("/inventory/transfers", "Move goods from one warehouse to another", (*store.Tx).TransferGoods),
		wire.List("/inventory/movements", read, store.Movements),
		wire.Export("/inventory/movements/export", "inventory:export", store.Movements),
		wire.Read("/inventory/movements/{id}", read, store.Movements),
		wire.ListOf("/inventory/low", read, "low", nil, (*store.View).LowStock, func(l trade.LowStock) string { return l.ProductID }).
			Named("inventory.low", "List products of which less is available than their critical level"),
		valuation(),
	}
	for i := range routes {
		if routes[i].Method == http.MethodPost {
			routes[i] = routes[i].Emits(trade.EventStockAdjusted, trade.EventStockLow)
		}
	}
	routes = slices.Concat(routes, []wire.Route{
		wire.List("/inventory/counts", read, store.Counts),
		wire.Create("/inventory/counts", update, (*store.Tx).CreateCount).Named("inventory.counts.create", "Open a counting sheet"),
		wire.Read("/inventory/counts/{id}", read, store.Counts),
		wire.Update("/inventory/counts/{id}", update, (*store.Tx).UpdateCount),
		wire.Patch("/inventory/counts/{id}", update, store.Counts, (*store.Tx).UpdateCount),
		wire.Action[trade.Count]("/inventory/counts/{id}/close", update, http.StatusOK, (*store.Tx).CloseCount).
			Emits(trade.EventStockAdjusted, trade.EventStockLow),
		wire.Action[trade.Count]("/inventory/counts/{id}/cancel", update, http.StatusOK, (*store.Tx).CancelCount),
	})
	return wire.Resource{Name: "inventory", A: routes, B: routes}
}

// goods serves what moves several lines at once.
func goods[In any](path, summary string, op func(*store.Tx, In) (store.Doc, error)) wire.Route {
	rt := wire.ActionWith[In, trade.Movements](path, "inventory:update", http.StatusCreated,
		func(tx *store.Tx, _ string, in In) (store.Doc, error) { return op(tx, in) })
	return rt.Named(rt.Name, summary).Gives(wire.Of[trade.Movements]())
}

// stockOf serves what there is of one product.
func stockOf() wire.Route {
	about := wire.Info{
		Name: "inventory.read", Summary: "Read the stock of one product, by warehouse", Out: wire.Of[trade.Inventory](),
		About: "Goods of a lot past its day are on hand and available, but they are reserved, and leave, only where lotNo names the lot. A deleted product is shown as long as something of it lies anywhere, as what a customer sent back may: it can be counted, adjusted, moved and taken out, but no more of it is received.",
	}
	return wire.Plain(http.MethodGet, "/inventory/{productId}", "inventory:read", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		var inv trade.Inventory
		err := c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			inv, err = v.Inventory(r.PathValue("productId"))
			return err
		})
		if err != nil {
			return err
		}
		return c.JSON(w, r, http.StatusOK, inv)
	})
}

// valuationFormats are what the valuation can be had as, the default first.
var valuationFormats = []string{"json", "csv", "xlsx"}

const valuationAbout = `What the goods on hand have cost, by weighted average in each warehouse: what comes adds its cost, what leaves takes its share along. The values of rows add up to those of warehouses and to the total, to the kuruş; unitCost is rounded from them.

As csv or xlsx it is a file of the rows, which needs inventory:export too. Cells are made harmless as in exports.`

// valuation serves what the stock has cost.
func valuation() wire.Route {
	about := wire.Info{
		Name: "inventory.valuation", Summary: "Read what the stock has cost", About: valuationAbout,
		Out: wire.Of[trade.Valuation](), Formats: valuationFormats[1:],
		Params: append(wire.FormatParams(valuationFormats...), wire.Param{Name: "warehouseId", About: "only what lies in this warehouse"}),
	}
	return wire.Plain(http.MethodGet, "/inventory/valuation", "inventory:read", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		q, err := c.Query()
		if err != nil {
			return err
		}
		f, err := wire.FormatOf(r, q, valuationFormats...)
		if err != nil {
			return err
		}
		if f.Name != "json" && !c.Principal.May("inventory:export") {
			return trade.Fail(trade.Forbidden, trade.InsufficientScope, "inventory:export")
		}
		var val trade.Valuation
		err = c.DB.Read(r.Context(), c.Who(r), func(v *store.View) (err error) {
			val, err = v.Valuation(q["warehouseId"])
			return err
		})
		if err != nil {
			return err
		}
		if f.Name == "json" {
			return c.JSON(w, r, http.StatusOK, val)
		}
		return c.Download(w, r, "valuation", f, wire.Of[trade.ValuationRow](), wire.Rows(val.Rows))
	}).Refuses(http.StatusNotFound)
}
