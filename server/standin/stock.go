package standin

import (
	"fmt"
	"slices"
	"time"

	"esnaf/store/money"
	"esnaf/store/trade"
)

// stockUp opens two warehouses and fills them, long before the first order: most of the
// goods lie in the first, some were carried on to the second. What follows must say
// when it happens.
func (l *ledger) stockUp() error {
	l.tx.Happen(l.tx.Now().Add(-90 * 24 * time.Hour))
	main, err := stored[trade.Warehouse](l.tx.CreateWarehouse(trade.Warehouse{Name: "Merkez Depo", Address: "Depo Sokak 1"}))
	if err != nil {
		return err
	}
	shop, err := stored[trade.Warehouse](l.tx.CreateWarehouse(trade.Warehouse{Name: "Mağaza"}))
	if err != nil {
		return err
	}
	in := trade.GoodsSlip{WarehouseID: main.ID, Note: "Devir"}
	on := trade.GoodsTransfer{FromWarehouseID: main.ID, ToWarehouseID: shop.ID, Note: "Mağaza rafları"}
	for _, currency := range []string{"TRY", "EUR", "USD"} {
		for i := range l.products[currency] {
			p := &l.products[currency][i]
			if p.Type != trade.Goods {
				continue
			}
			in.Lines = append(in.Lines, l.opening(p)...)
			if p.Tracking == trade.Untracked && i%3 == 0 {
				on.Lines = append(on.Lines, trade.GoodsLine{ProductID: p.ID, Quantity: 10 * one})
			}
		}
	}
	if _, err = l.tx.ReceiveGoods(in); err != nil {
		return err
	}
	_, err = l.tx.TransferGoods(on)
	return err
}

// opening is how much of a product there is at first: enough for all orders that are
// drawn. What goes off comes in two lots, the later one of twice as much.
func (l *ledger) opening(p *trade.Product) []trade.GoodsLine {
	line := trade.GoodsLine{ProductID: p.ID, Quantity: 600 * one, UnitCost: new(l.cost(p))}
	switch {
	case p.SalePrice >= 2000*lira:
		line.Quantity = 40 * one
	case p.SalePrice >= 200*lira:
		line.Quantity = 150 * one
	}
	switch p.Tracking {
	case trade.ByLot:
		late := line
		line.LotNo, line.ExpiresAt = p.Code+"-A", l.today.AddDays(45)
		late.LotNo, late.ExpiresAt, late.Quantity = p.Code+"-B", l.today.AddDays(240), 2*line.Quantity
		return []trade.GoodsLine{late, line}
	case trade.BySerial:
		for n := range int(line.Quantity / one) {
			line.SerialNos = append(line.SerialNos, fmt.Sprintf("%s-%04d", p.Code, 1001+n))
		}
	}
	return []trade.GoodsLine{line}
}

// cost is what a piece was bought for, in lira: its purchase price, else three fifths of
// what it is sold for.
func (l *ledger) cost(p *trade.Product) money.Price {
	price := p.SalePrice / 5 * 3
	if p.PurchasePrice != nil {
		price = *p.PurchasePrice
	}
	if !slices.Contains([]string{"EUR", "USD"}, p.SaleCurrency) {
		return price
	}
	worth, _ := exchangeRate(p.SaleCurrency, 90).Of(money.Amount(price / kuru)) // what a piece costs is far from the bounds
	return money.Price(worth) * kuru
}
