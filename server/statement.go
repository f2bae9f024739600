package server

import (
	"net/http"
	"strings"
	"time"

	"esnaf/server/wire"
	"esnaf/store"
	"esnaf/store/money"
	"esnaf/store/trade"
)

// statementFormats are what a statement can be had as, the default first.
var statementFormats = []string{"json", "csv", "xlsx", "pdf"}

const statementAbout = `Lists what was booked, by date, with the balance after each row; by currency. A period of more than 10,000 rows is refused (400): give from and to. The statement of a record that was deleted stays readable.

As csv, xlsx or pdf it is a file, which needs %s:export too: what was brought forward comes first, a row for each currency, and amounts stand under debit (borç) or credit (alacak). Cells are made harmless as in exports. Descriptions, and all of a pdf, are in the language of the answer; a character that the pdf's font lacks shows as a box.`

// holder is whose statement it is, as paper names them.
type holder struct {
	kind         trade.Phrase
	name, detail string
}

// statement serves what moved an account, or what a company owes, in a period. of
// puts the id of the record on it and tells whose it is. Besides the scope to read the
// record it needs those to read what its rows are booked for, of the resources in sources.
func statement[T any, P store.Record[T]](path, resource string, t *store.Table[T, P], of func(*trade.Statement, *T) holder, sources ...string) wire.Route {
	day := map[string]any{"type": "string", "format": "date"}
	about := wire.Info{
		Summary: "Read the statement of one " + t.One, Out: wire.Of[trade.Statement](), Formats: statementFormats[1:],
		About:  strings.Replace(statementAbout, "%s", resource, 1),
		Params: append(wire.FormatParams(statementFormats...), wire.Param{Name: "from", About: "first day", Schema: day}, wire.Param{Name: "to", About: "last day", Schema: day}),
	}
	if len(sources) > 0 {
		about.About += "\n\nNeeds " + strings.Join(sources, ":read, ") + ":read too: its rows tell of invoices and of payments through accounts of either kind."
	}
	mayRead := func(c *wire.Call) error {
		for _, further := range sources {
			if !c.Principal.May(further + ":read") {
				return trade.Fail(trade.Forbidden, trade.InsufficientScope, further+":read")
			}
		}
		return nil
	}
	return wire.Plain(http.MethodGet, path, resource+":read", about, func(c *wire.Call, w http.ResponseWriter, r *http.Request) error {
		from, to, f, err := statementQuery(c, r)
		if err == nil && f.Name != "json" && !c.Principal.May(resource+":export") {
			err = trade.Fail(trade.Forbidden, trade.InsufficientScope, resource+":export")
		}
		if err != nil {
			return err
		}
		var s trade.Statement
		var whose holder
		var seller *trade.Tenant
		err = c.DB.Read(r.Context(), c.Who(r), func(v *store.View) error {
			rec, err := t.Ever(v, r.PathValue("id"))
			if err != nil {
				return err
			}
			if s, err = v.Statement(P(&rec).Base().ID, from, to); err != nil {
				return err
			}
			whose = of(&s, &rec)
			seller, err = v.Settings()
			return err
		})
		if err != nil {
			return err
		}
		return sendStatement(c, w, r, f, &printout{&s, whose, seller, wire.Language(r), c.DB.Clock().Now()})
	}).Only(mayRead)
}

func statementQuery(c *wire.Call, r *http.Request) (from, to trade.Date, f wire.Format, err error) {
	q, err := c.Query()
	if err == nil {
		f, err = wire.FormatOf(r, q, statementFormats...)
	}
	if err == nil {
		from, err = dayOf(q, "from")
	}
	if err == nil {
		to, err = dayOf(q, "to")
	}
	if err == nil {
		err = wire.Ordered("from", string(from), "to", string(to))
	}
	return from, to, f, err
}

// dayOf reads a parameter that is a date; "" when it is not given.
func dayOf(q map[string]string, name string) (trade.Date, error) {
	text, given := q[name]
	if !given {
		return "", nil
	}
	d, err := trade.ParseDate(text)
	if err != nil {
		return "", wire.Refused(name, trade.Phrase{"it must be a date as YYYY-MM-DD, from 1900-01-01 to 2999-12-31", "YYYY-AA-GG biçiminde, 1900-01-01 ile 2999-12-31 arasında bir tarih olmalı"})
	}
	return d, nil
}

// sendStatement answers with a statement as what the caller asked for.
func sendStatement(c *wire.Call, w http.ResponseWriter, r *http.Request, f wire.Format, p *printout) error {
	switch f.Name {
	case "json":
		return c.JSON(w, r, http.StatusOK, p.s)
	case "pdf":
		body, err := p.pdf()
		if err != nil {
			return err
		}
		return c.Attach(w, r, "statement", f, body)
	}
	return c.Download(w, r, "statement", f, wire.Of[statementLine](), wire.Rows(p.lines()))
}

// printout is a statement on its way to a file.
type printout struct {
	s      *trade.Statement
	holder holder
	seller *trade.Tenant
	lang   trade.Lang
	now    time.Time
}

// statementLine is one line of a statement as accountants write it.
type statementLine struct {
	Date        trade.Date   `json:"date,omitempty"`
	Description string       `json:"description"`
	Number      string       `json:"number,omitempty"`
	Currency    string       `json:"currency"`
	Debit       money.Amount `json:"debit,omitzero"`
	Credit      money.Amount `json:"credit,omitzero"`
	Balance     money.Amount `json:"balance"`
	Entry       int64        `json:"entry,omitzero"`
	SourceID    string       `json:"sourceId,omitempty"`
}

// broughtForward is the description of what was there before the first day.
var broughtForward = trade.Phrase{"Brought forward", "Devir"}

// described is what the rows of each kind are on paper.
var described = map[trade.EntryKind]trade.Phrase{
	trade.EntryOpening:            {"Opening balance", "Açılış bakiyesi"},
	trade.EntryInvoice:            {"Invoice", "Fatura"},
	trade.EntryInvoiceReversal:    {"Invoice reversed", "Fatura iptali"},
	trade.EntryPaymentIn:          {"Payment received", "Tahsilat"},
	trade.EntryPaymentInReversal:  {"Receipt reversed", "Tahsilat iptali"},
	trade.EntryPaymentOut:         {"Payment made", "Ödeme"},
	trade.EntryPaymentOutReversal: {"Payment reversed", "Ödeme iptali"},
	trade.EntryTransfer:           {"Transfer", "Virman"},
}

// lines are the statement's, what was brought forward first.
func (p *printout) lines() []statementLine {
	lines := make([]statementLine, 0, len(p.s.Opening)+len(p.s.Rows))
	for _, b := range p.s.Opening {
		lines = append(lines, statementLine{Date: p.s.From, Description: broughtForward[p.lang], Currency: b.Currency, Balance: b.Amount})
	}
	for _, r := range p.s.Rows {
		lines = append(lines, statementLine{
			Date: r.Date, Description: described[r.Kind][p.lang], Number: r.Number, Currency: r.Currency,
			Debit: max(r.Amount, 0), Credit: max(-r.Amount, 0), Balance: r.Balance, Entry: r.Entry, SourceID: r.SourceID,
		})
	}
	return lines
}
