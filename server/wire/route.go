// Package wire turns typed operations into HTTP routes and into the API
// description.
//
// A Route is a value, made by List, ListOf, Read, Create, Update, Delete, Action
// or Plain. The same value is served (Mount) and documented (Document): its
// scope is checked, its body read strictly, its answer sent from stored bytes,
// its repeat recognised by Idempotency-Key, its version by If-Match. Both
// interfaces use the same constructors; where their rules differ, the Config
// that a route is mounted with decides.
//
// Operations return errors; one function turns them into answers.
package wire

import (
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"esnaf/store/trade"
)

// Route is one operation of one interface.
type Route struct {
	Method  string
	Path    string        // below the interface's base, such as /companies/{id}
	Scope   string        // resource:action, "" for every caller who is known
	Name    string        // of the operation in the API description; made from Path unless Named
	Summary string        // one line about it
	Events  []trade.Event // that it may emit

	about       string   // more about it
	public      bool     // asks for no credentials
	keyRequired bool     // no POST without Idempotency-Key
	secret      bool     // the answer shows a secret
	versioned   bool     // the answer carries an ETag
	conditional bool     // the answer to If-None-Match may be 304
	matched     bool     // reads If-Match
	merges      bool     // the body is a merge patch
	acts        bool     // does something to one record: its body may say nothing
	list        bool     // the answer is a page of outs
	at          string   // path of what is made, "" for under the own one
	status, or  int      // of success; or is 0 where there is but one
	deprecation string   // since when callers should go elsewhere, "" while they need not
	sunset      string   // when it goes
	refuses     []int    // statuses of refusals besides those that follow from the rest
	in, out     *Type    // the bodies; nil for none
	files       []string // media types of a body that is a file; nil for none
	media       string   // of the answer's body, "" for none
	formats     []string // kinds of files that the answer may be as well, one of which Download sends
	params      func() []Param
	keys        []Param // parameters of the path that are no ids
	serve       handler
}

// handler answers one request, or says why not.
type handler func(*Call, http.ResponseWriter, *http.Request) error

// Resource is one kind of record on both interfaces.
type Resource struct {
	Name string
	A, B []Route
}

// ShowsSecret tells that the answer shows a secret: kept for a repeat, it is
// sealed.
func (rt Route) ShowsSecret() Route { rt.secret = true; return rt }

// Public lets everyone in, credentials or not; no rate limit of wire's counts.
func (rt Route) Public() Route { rt.public = true; return rt }

// Named gives the operation another name and summary in the API description.
func (rt Route) Named(name, summary string) Route {
	rt.Name, rt.Summary = name, summary
	return rt
}

// Only serves the calls that may lets pass; any other gets its error.
func (rt Route) Only(may func(*Call) error) Route {
	serve := rt.serve
	rt.serve = func(c *Call, w http.ResponseWriter, r *http.Request) error {
		if err := may(c); err != nil {
			return err
		}
		return serve(c, w, r)
	}
	return rt
}

// Emits tells which events the operation may emit; "" is none.
func (rt Route) Emits(events ...trade.Event) Route {
	rt.Events = slices.DeleteFunc(events, func(e trade.Event) bool { return e == "" })
	return rt
}

// At tells where, below the interface's base, the records are that the operation
// makes, when that is not under its own path.
func (rt Route) At(path string) Route { rt.at = path; return rt }

// Tells adds to the API description what a caller must know besides the summary.
func (rt Route) Tells(about string) Route { rt.about = about; return rt }

// Deprecated tells callers since when they should go elsewhere and when the
// operation goes, by the headers Deprecation (RFC 9745) and Sunset (RFC 8594) of
// every answer. A year lies between the two.
func (rt Route) Deprecated(since time.Time) Route {
	rt.deprecation = "@" + strconv.FormatInt(since.Unix(), 10)
	rt.sunset = since.AddDate(1, 0, 0).UTC().Format(http.TimeFormat)
	return rt
}

// Gives tells that the answer is another type than the body sent, one that has
// neither a version nor a place of its own.
func (rt Route) Gives(out *Type) Route { rt.out, rt.versioned = out, false; return rt }

// Versioned tells that the answer of a Plain route is a record as Doc or Reply
// sends it, with its version as ETag.
func (rt Route) Versioned() Route {
	rt.versioned, rt.conditional = true, rt.Method == http.MethodGet
	return rt
}

// Refuses tells of statuses that the operation may be refused with and that do
// not follow from the rest of the route.
func (rt Route) Refuses(statuses ...int) Route { rt.refuses = statuses; return rt }

// jsonMedia is the media type of all records.
const jsonMedia = "application/json"

// named fills in Name and Summary from the path: companies.list and "List
// companies", companies.update and "Replace one company". The path of an action
// ends in its own word: invoices.send and "Send one invoice".
func (rt Route) named(verb, summary string) Route {
	words := rt.segments()
	thing := words[len(words)-1]
	rt.Name = strings.Join(words, ".")
	if verb != "" {
		rt.Name += "." + verb
	} else if len(words) > 1 {
		summary = strings.ToUpper(thing[:1]) + thing[1:] + " one"
		thing = words[len(words)-2]
	}
	if strings.HasSuffix(summary, " one") {
		thing = singular(thing)
	}
	rt.Summary = summary + " " + strings.ReplaceAll(thing, "-", " ")
	return rt
}

// segments are the words of the path, without its parameters; never none.
func (rt Route) segments() (words []string) {
	for s := range strings.SplitSeq(rt.Path, "/") {
		if s != "" && s[0] != '{' {
			words = append(words, s)
		}
	}
	if words == nil {
		words = []string{"root"}
	}
	return words
}

// singular is one of what an English plural names, for summaries.
func singular(plural string) string {
	if stem, ok := strings.CutSuffix(plural, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(plural, "s")
}

// ids are the parameters of the path that are ids of records: all but those that
// an Info says are something else.
func (rt Route) ids() (names []string) {
	for s := range strings.SplitSeq(rt.Path, "/") {
		name := strings.Trim(s, "{}")
		other := slices.ContainsFunc(rt.keys, func(p Param) bool { return p.Name == name })
		if strings.HasPrefix(s, "{") && !other {
			names = append(names, name)
		}
	}
	return names
}

// kind is what the record is called that an id of the path is of: by the name of the
// parameter where that says it, else by the word before.
func (rt Route) kind(id string) string {
	if of, ok := strings.CutSuffix(id, "Id"); ok {
		return of
	}
	before, _, _ := strings.Cut(rt.Path, "/{"+id+"}")
	return singular(strings.ReplaceAll(path.Base(before), "-", " "))
}

// known are the parameters of the query that the operation has.
func (rt *Route) known() []Param {
	if rt.params == nil {
		return nil
	}
	return rt.params()
}

// idPattern is the form of every id: a prefix and 26 characters of Crockford's
// base 32 in lower case.
const idPattern = "^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$"

// IsID tells whether s has the form of idPattern.
func IsID(s string) bool {
	if len(s) != 30 || s[3] != '_' {
		return false
	}
	for i := range 3 {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return strings.Trim(s[4:], "0123456789abcdefghjkmnpqrstvwxyz") == ""
}
