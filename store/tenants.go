package store

import (
	"context"

	"esnaf/store/trade"
)

// Settings are the tenant's own record. It is shared: do not change it.
func (tx *Tx) Settings() (*trade.Tenant, error) {
	if tx.db.touched {
		return tx.tenant()
	}
	return tx.db.tenants.get(tx.who.Tenant, tx.tenant)
}

// Settings are the caller's tenant. It is shared: do not change it. What this
// View reads is not remembered, since its snapshot may be older than the last
// change.
func (v *View) Settings() (*trade.Tenant, error) {
	if t, ok := v.db.tenants.peek(v.who.Tenant); ok {
		return t, nil
	}
	return v.tenant()
}

func (v *View) tenant() (*trade.Tenant, error) {
	t, err := Tenants.Get(v, v.who.Tenant)
	return &t, err
}

// account is the tenant's own record, from memory. It is shared: do not change it.
func (db *DB) account(ctx context.Context, tenant string) (*trade.Tenant, error) {
	return db.tenants.get(tenant, func() (t *trade.Tenant, err error) {
		err = db.Read(ctx, Who{Tenant: tenant}, func(v *View) (err error) {
			t, err = v.tenant()
			return err
		})
		return t, err
	})
}

// Plan is what the tenant has booked, "" when there is no such tenant. It is
// asked at every request and answered from memory.
func (db *DB) Plan(ctx context.Context, tenant string) trade.Plan {
	t, err := db.account(ctx, tenant)
	if err != nil {
		return ""
	}
	return t.Plan
}

// Today is the day that it is in the tenant's zone.
func (db *DB) Today(ctx context.Context, tenant string) (trade.Date, error) {
	t, err := db.account(ctx, tenant)
	if err != nil {
		return "", err
	}
	return trade.DateOf(db.clock.Now().In(t.Zone())), nil
}

// CreateTenant opens a new account. It is the operator's operation.
func (tx *Tx) CreateTenant(t trade.Tenant) (trade.Tenant, error) {
	t.Defaults()
	if t.Plan == "" {
		t.Plan = trade.PlanEnterprise
	}
	t.Check(tx.Check())
	if err := tx.Check().Err(); err != nil {
		return t, err
	}
	t.ID = tx.db.ids.New(Tenants.Prefix, tx.now)
	t.Version, t.CreatedAt, t.UpdatedAt = 1, trade.At(tx.now), trade.At(tx.now)
	if err := tx.become(t.ID); err != nil { // its own audit chain begins with its making
		return t, err
	}
	tx.db.touched = true
	if _, err := Tenants.addAs(tx, &t); err != nil {
		return t, err
	}
	return t, tx.audit("tenant.create", t.ID, "")
}

// UpdateTenant replaces the settings of the caller's own account.
func (tx *Tx) UpdateTenant(match Match, t trade.Tenant) (Doc, error) {
	_, doc, err := tx.putTenant(match, func(old trade.Tenant) trade.Tenant {
		t.ID, t.CreatedAt, t.Plan = old.ID, old.CreatedAt, old.Plan
		return t
	})
	return doc, err
}

// SetPlan books another plan for the tenant. It is the operator's operation.
func (tx *Tx) SetPlan(plan trade.Plan) (trade.Tenant, error) {
	trade.OneOf(tx.Check(), "plan", string(plan), plan.Values()...)
	t, _, err := tx.putTenant(Any, func(old trade.Tenant) trade.Tenant { old.Plan = plan; return old })
	return t, err
}

func (tx *Tx) putTenant(match Match, edit func(trade.Tenant) trade.Tenant) (t trade.Tenant, doc Doc, err error) {
	old, err := Tenants.Get(&tx.View, tx.who.Tenant)
	if err != nil {
		return t, doc, err
	}
	if err := match.Against(old.Version); err != nil {
		return t, doc, err
	}
	t = edit(old)
	t.Defaults()
	t.Check(tx.Check())
	if t.Series != old.Series {
		if err := tx.checkSeries(&t.Series); err != nil {
			return t, doc, err
		}
	}
	if err := tx.Check().Err(); err != nil {
		return t, doc, err
	}
	was, err := encode(&old)
	if err != nil {
		return t, doc, err
	}
	doc, err = Tenants.Put(tx, &old, &t)
	if err != nil {
		return t, doc, err
	}
	tx.db.touched = true
	tx.afterCommit(tx.db.tenants.clear)
	return t, doc, tx.audit("tenant.update", t.ID, changed(was, doc.JSON))
}

// checkSeries refuses letters under which a document of another kind was numbered.
func (tx *Tx) checkSeries(s *trade.Series) error {
	for _, x := range s.ByKind() {
		kind, err := tx.numberedAs(x.Letters)
		if err != nil {
			return err
		}
		if kind != "" && kind != x.Kind {
			tx.Check().Add("series."+x.Kind, trade.SeriesUsed, kind)
		}
	}
	return nil
}

// numberedAs is the kind of the documents with the numbers of a series, "" when there are
// none.
func (tx *Tx) numberedAs(letters string) (kind string, err error) {
	args := []any{tx.who.Tenant, letters + "20", letters + "21"} // the year follows
	kind, err = tx.oneText("SELECT doc ->> 'documentType' FROM invoices WHERE tenant = ? AND number >= ? AND number < ? LIMIT 1", args...)
	if err != nil || kind != "" {
		return kind, err
	}
	noted, err := tx.any("SELECT 1 FROM shipments WHERE tenant = ? AND number >= ? AND number < ? LIMIT 1", args...)
	if noted {
		kind = trade.Despatch
	}
	return kind, err
}

// ListTenants reads every account, oldest first. It is the operator's operation.
func (db *DB) ListTenants(ctx context.Context) (out []trade.Tenant, err error) {
	err = db.Read(ctx, Who{Actor: "operator"}, func(v *View) error {
		rows, err := v.query("SELECT doc FROM tenants ORDER BY id")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var doc []byte
			var t trade.Tenant
			if err := rows.Scan(&doc); err != nil {
				return err
			}
			if err := decode(doc, &t); err != nil {
				return err
			}
			out = append(out, t)
		}
		return rows.Err()
	})
	return out, err
}
