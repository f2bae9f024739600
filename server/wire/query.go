package wire

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"esnaf/store/trade"
)

// Refused is the answer to a parameter whose value is not taken: a Malformed.
func Refused(name string, why trade.Phrase) error {
	return trade.Fail(trade.Malformed, trade.BadParameter, short(name), why)
}

// Ordered refuses a beginning that lies after its end; "" is no bound.
func Ordered(name, from, end, to string) error {
	if from == "" || to == "" || from <= to {
		return nil
	}
	return Refused(name, trade.Phrase{from + " lies after " + end + ", " + to, from + ", " + end + " değerinden (" + to + ") sonra"})
}

// Query reads the parameters of a Plain route, by name. An empty one is Malformed, and so
// is a value that none of FormatParams has. Other values are the handler's to judge.
func (c *Call) Query() (map[string]string, error) {
	given := map[string]string{}
	var unlisted trade.Query // there is no list: what a parameter says of one goes nowhere
	for _, g := range c.given {
		given[g.Name] = g.value
		if g.value == "" { // mostly a variable that was not set: dryRun= must not write
			return nil, Refused(g.Name, trade.Phrase{"it is empty: leave it out, or give it a value", "boş: kaldırın ya da bir değer verin"})
		}
		if g.read == nil {
			continue
		}
		if err := g.read(&unlisted, g.value); err != nil {
			return nil, err
		}
	}
	return given, nil
}

// readQuery reads the query of a list. The cursor comes back as it was sent,
// since it can be checked only against all the rest.
func readQuery(given []argument) (q trade.Query, cursor string, err error) {
	q.Limit = defaultLimit
	for _, g := range given {
		if g.Name == "cursor" {
			cursor = g.value
		}
		if err := g.read(&q, g.value); err != nil {
			return q, cursor, err
		}
	}
	return q, cursor, fitting(&q, cursor)
}

// argument is a parameter with the value that a request gives it.
type argument struct {
	*Param
	value string
}

// arguments takes a query apart. It is strict on every route: nothing unknown, nothing
// twice, so that no misspelt filter gives a list of everything, and no wish is passed over.
func arguments(raw string, known []Param) (given []argument, err error) {
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		name, value, err := unescaped(pair)
		if err != nil {
			return nil, err
		}
		if name == "tenantId" { // the caller's own: admit has refused others
			continue
		}
		i := slices.IndexFunc(known, func(p Param) bool { return p.Name == name })
		switch {
		case i < 0:
			return nil, unknownParam(name, known)
		case slices.ContainsFunc(given, func(g argument) bool { return g.Name == name }):
			return nil, Refused(name, trade.Phrase{"it is given twice", "iki kez verilmiş"})
		}
		given = append(given, argument{&known[i], value})
	}
	return given, nil
}

// fitting tells parameters that are right alone and wrong together.
func fitting(q *trade.Query, cursor string) error {
	switch {
	case q.Page > 0 && cursor != "":
		return Refused("page", trade.Phrase{"it cannot be given together with cursor", "cursor ile birlikte verilemez"})
	case q.Page*q.Limit > maxRow:
		return Refused("page", trade.Phrase{
			fmt.Sprintf("page x limit may be at most %d; walk further with cursor", maxRow),
			fmt.Sprintf("page x limit en çok %d olabilir; daha ilerisi için cursor kullanın", maxRow),
		})
	case q.UpdatedSince != 0 && q.Sort != "" && q.Sort != "updatedAt":
		return Refused("sort", trade.Phrase{"with updatedSince the order is updatedAt", "updatedSince ile sıra updatedAt'tir"})
	case q.CreatedFrom > q.CreatedTo && q.CreatedTo != 0:
		return Ordered("createdFrom", q.CreatedFrom.String(), "createdTo", q.CreatedTo.String())
	}
	return Ordered("from", string(q.From), "to", string(q.To))
}

// unescaped takes name=value apart.
func unescaped(pair string) (name, value string, err error) {
	name, value, _ = strings.Cut(pair, "=")
	if name, err = url.QueryUnescape(name); err != nil || !utf8.ValidString(name) {
		return "", "", trade.Fail(trade.Malformed, trade.BadRequest, trade.Phrase{"the name of a parameter is not escaped rightly", "bir parametre adı doğru kodlanmamış"})
	}
	if value, err = url.QueryUnescape(value); err != nil {
		return "", "", Refused(name, trade.Phrase{"its % signs are no escapes", "% işaretleri kaçış dizisi değil"})
	}
	return name, value, nil
}

func unknownParam(name string, known []Param) error {
	if len(known) == 0 {
		return Refused(name, trade.Phrase{"there are no parameters here", "burada parametre yok"})
	}
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.Name
	}
	allowed := strings.Join(names, ", ")
	return Refused(name, trade.Phrase{"known are " + allowed, "bilinenler: " + allowed})
}
