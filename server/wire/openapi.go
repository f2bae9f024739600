package wire

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/swaggest/openapi-go"
	"github.com/swaggest/openapi-go/openapi31"

	"esnaf/auth"
)

// Document describes one interface as an OpenAPI 3.1 document in JSON: the
// routes as they are served at base. iface is auth.InterfaceA or
// auth.InterfaceB. An error is a route that cannot be described: a mistake in
// the program.
func Document(title, base string, iface byte, routes []Route) ([]byte, error) {
	d := describer{iface: iface, schemas: schemas{components: map[string]schema{}, owners: map[string]reflect.Type{}}}
	d.spec.Openapi = "3.1.0"
	d.spec.Info = *(&openapi31.Info{Title: title, Version: "1"}).WithDescription(preface)
	d.spec.WithServers(openapi31.Server{URL: "/"})
	d.credentials()
	d.common()
	d.answers()
	for _, rt := range routes {
		if err := d.spec.AddOperation(rt.Method, base+rt.Path, d.operation(&rt)); err != nil {
			return nil, err
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	d.spec.ComponentsEns().Schemas = d.components
	return json.Marshal(d.spec)
}

// preface tells what holds for every operation.
const preface = `Bodies are JSON in UTF-8, read strictly: an unknown member, a wrong type or an unknown value is refused with 422 and named, together with every other fault. Members that a caller cannot set (readOnly) are taken and ignored, and null is the same as leaving a member out, as is an empty text where one of a few values belongs. In a PATCH, a merge patch (RFC 7396), both do more than that: they take away what the record has there, as if it had never been given (a default is filled in anew, and what is required is then missing); only what is left out stays as it is.

A body has at most 4 MiB, a file 32 MiB; a larger one is refused with 413. What is left of a body when its request is answered is read and thrown away, up to 64 MiB and for 10 seconds, so that the answer arrives; beyond that the connection is cut.

Amounts, prices, quantities and rates are decimal strings; in a body a number does too. Dates are YYYY-MM-DD, moments RFC 3339 in UTC.

A parameter of the query that an operation does not list is refused with 400, except the caller's own tenantId; so is a header that can have one value and is given twice (Content-Type, Content-Encoding, Idempotency-Key, X-User-Id; of credentials, Authorization and x-api-key, that is 401).

HEAD goes wherever GET goes, OPTIONS tells the methods of a path. Every error is a Problem with a message, except where the request cannot be read as HTTP at all (400, 431, 501, 505, in plain text) or has an Expect other than 100-continue (417, without a body).`

// describer makes one document.
type describer struct {
	schemas
	iface byte
	spec  openapi31.Spec
}

// The names of the two kinds of credentials in a document.
const (
	bearerScheme = "bearer"
	apiKeyScheme = "apiKey"
)

func (d *describer) credentials() {
	if d.iface == auth.InterfaceB {
		d.spec.SetAPIKeySecurity(apiKeyScheme, "x-api-key", openapi.InHeader, "a key svc_live_... from the operator")
		return
	}
	d.spec.SetHTTPBearerTokenSecurity(bearerScheme, "JWT", "an access token of /api/auth/login, or a key svc_user_... together with X-User-Id")
}

// answers files the headers and the error answers that operations refer to.
func (d *describer) answers() {
	c := d.spec.ComponentsEns()
	for _, h := range []struct{ name, about, kind string }{
		{"X-Request-Id", "names this request in the log", "string"},
		{"X-RateLimit-Limit", "requests a minute, and at once", "integer"},
		{"X-RateLimit-Remaining", "requests that could follow at once", "integer"},
		{"X-RateLimit-Reset", "seconds until all of them are there again", "integer"},
		{"RateLimit-Policy", `the limit as a structured field, such as "default";q=60;w=60`, "string"},
		{"RateLimit", `what is left of it, such as "default";r=59;t=1`, "string"},
		{"Retry-After", "seconds to wait before another try", "integer"},
		{"WWW-Authenticate", "the credentials that are asked for", "string"},
		{"Deprecation", "since when callers should use another operation (RFC 9745)", "string"},
		{"Sunset", "when the operation goes (RFC 8594)", "string"},
		{"ETag", "the record's version, in quotes", "string"},
		{"Location", "path of the record that was made", "string"},
		{"Idempotent-Replayed", "true when this is the answer of an earlier request with the same Idempotency-Key", "string"},
	} {
		c.WithHeadersItem(h.name, openapi31.HeaderOrReference{Header: (&openapi31.Header{Schema: schema{"type": h.kind}}).WithDescription(h.about)})
	}
	for _, status := range problemStatuses {
		c.WithResponsesItem(problemName(status), openapi31.ResponseOrReference{Response: d.problemAnswer(status)})
	}
	c.WithResponsesItem("Problem", openapi31.ResponseOrReference{Response: &openapi31.Response{
		Description: "any other error", Headers: headers("X-Request-Id"), Content: content(problemMedia, ref("Problem")),
	}})
}

// problemStatuses are the statuses that operations name; others are Problems too.
var problemStatuses = []int{400, 401, 403, 404, 406, 409, 413, 415, 422, 428, 429, 500, 503}

// problemName names the answer to one status among the components.
func problemName(status int) string { return "Problem" + strconv.Itoa(status) }

func (d *describer) problemAnswer(status int) *openapi31.Response {
	names := []string{"X-Request-Id"}
	switch status {
	case http.StatusUnauthorized:
		names = append(names, "WWW-Authenticate")
	case http.StatusTooManyRequests, http.StatusConflict, http.StatusServiceUnavailable:
		names = append(names, "Retry-After")
	}
	return &openapi31.Response{Description: http.StatusText(status), Headers: headers(names...), Content: content(problemMedia, ref("Problem"))}
}

func headers(names ...string) map[string]openapi31.HeaderOrReference {
	out := map[string]openapi31.HeaderOrReference{}
	for _, n := range names {
		out[n] = openapi31.HeaderOrReference{Reference: &openapi31.Reference{Ref: "#/components/headers/" + n}}
	}
	return out
}

func content(media string, s schema) map[string]openapi31.MediaType {
	return map[string]openapi31.MediaType{media: {Schema: s}}
}

func (d *describer) operation(rt *Route) openapi31.Operation {
	var op openapi31.Operation
	op.WithID(rt.Name).WithSummary(rt.Summary).WithTags(rt.tag())
	if rt.about != "" {
		op.WithDescription(rt.about)
	}
	op.WithSecurity(d.security(rt)...)
	if rt.Scope != "" {
		op.WithMapOfAnythingItem("x-scope", rt.Scope)
	}
	if rt.deprecation != "" {
		op.WithDeprecated(true)
	}
	if len(rt.Events) > 0 {
		op.WithMapOfAnythingItem("x-events", rt.Events)
	}
	op.Parameters = d.parameters(rt)
	if rt.in != nil {
		shape := rt.in.shape()
		body := &openapi31.RequestBody{Required: new(!rt.optionalBody()), Content: content(jsonMedia, d.of(shape, true))}
		if rt.merges {
			body.Content = content(mergeMedia, d.patch(shape))
			body.Content[jsonMedia] = body.Content[mergeMedia]
		}
		op.RequestBody = &openapi31.RequestBodyOrReference{RequestBody: body}
	}
	if rt.files != nil {
		op.RequestBody = &openapi31.RequestBodyOrReference{RequestBody: fileBody(rt.files)}
	}
	d.responses(rt, op.ResponsesEns())
	return op
}

// tag groups operations by resource: the first word of the path that says one.
func (rt *Route) tag() string {
	words := rt.segments()
	if words[0] == "finance" && len(words) > 1 {
		words = words[1:]
	}
	return words[0]
}

// security names the credentials and, as OpenAPI 3.1 allows for any scheme, the
// scope that they must carry. A public route asks for none.
func (d *describer) security(rt *Route) []map[string][]string {
	if rt.public {
		return []map[string][]string{{}}
	}
	scopes := []string{}
	if rt.Scope != "" {
		scopes = append(scopes, rt.Scope)
	}
	if d.iface == auth.InterfaceB {
		return []map[string][]string{{apiKeyScheme: scopes}}
	}
	return []map[string][]string{{bearerScheme: scopes}}
}

func (d *describer) parameters(rt *Route) (all []openapi31.ParameterOrReference) {
	add := func(in openapi31.ParameterIn, name, about string, required bool, s schema) {
		p := (&openapi31.Parameter{Name: name, In: in, Schema: s}).WithDescription(about)
		if required {
			p.WithRequired(true)
		}
		all = append(all, p.ToParameterOrRef())
	}
	for _, id := range rt.ids() {
		add(openapi31.ParameterInPath, id, "id of the record", true, schema{"type": "string", "pattern": idPattern})
	}
	for _, k := range rt.keys {
		add(openapi31.ParameterInPath, k.Name, k.About, true, k.Schema)
	}
	for _, p := range rt.known() {
		if p.Schema == nil {
			p.Schema = schema{"type": "string"}
		}
		add(openapi31.ParameterInQuery, p.Name, p.About, false, p.Schema)
	}
	if rt.Method == http.MethodPost && !rt.public {
		add(openapi31.ParameterInHeader, "Idempotency-Key", "UUID version 4: within 24 hours a repeat with the same key and body gets the same answer and changes nothing", rt.keyRequired, schema{"type": "string", "pattern": keyPattern})
	}
	if rt.matched {
		add(openapi31.ParameterInHeader, "If-Match", `the version that is to be changed, such as "7", or *; another one is refused with 409`, d.mustMatch(rt), schema{"type": "string"})
	}
	if rt.conditional {
		add(openapi31.ParameterInHeader, "If-None-Match", "a version that the caller has: 304 when it is current", false, schema{"type": "string"})
	}
	return all
}

// mustMatch tells whether a route asks for If-Match.
func (d *describer) mustMatch(rt *Route) bool {
	return rt.matched && rt.in != nil && d.iface == auth.InterfaceA
}

func (d *describer) responses(rt *Route, all *openapi31.Responses) {
	ok := &openapi31.Response{Description: http.StatusText(rt.status), Headers: headers(rt.answerHeaders()...)}
	switch {
	case rt.out != nil && rt.list:
		ok.Content = content(rt.media, schema{
			"type": "object", "required": []string{"data", "meta"},
			"properties": schema{"data": schema{"type": "array", "items": d.of(rt.out.shape(), false)}, "meta": ref("PageInfo")},
		})
	case rt.out != nil:
		ok.Content = content(rt.media, d.of(rt.out.shape(), false))
	case rt.media != "":
		ok.Content = content(rt.media, schema{})
	}
	for _, name := range rt.formats {
		ok.WithContentItem(kindOf(name).media, openapi31.MediaType{Schema: schema{}})
	}
	add := func(status int, r openapi31.ResponseOrReference) {
		all.WithMapOfResponseOrReferenceValuesItem(strconv.Itoa(status), r)
	}
	add(rt.status, openapi31.ResponseOrReference{Response: ok})
	if rt.or != 0 {
		add(rt.or, openapi31.ResponseOrReference{Response: ok})
	}
	if rt.conditional {
		add(http.StatusNotModified, openapi31.ResponseOrReference{Response: &openapi31.Response{Description: http.StatusText(http.StatusNotModified), Headers: headers(rt.answerHeaders()...)}})
	}
	for _, status := range d.failures(rt) {
		add(status, problemReference(problemName(status)))
	}
	all.Default = new(problemReference("Problem"))
}

func problemReference(name string) openapi31.ResponseOrReference {
	return openapi31.ResponseOrReference{Reference: &openapi31.Reference{Ref: "#/components/responses/" + name}}
}

func (rt *Route) answerHeaders() []string {
	names := []string{"X-Request-Id"}
	if !rt.public {
		names = append(names, "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit")
	}
	if rt.deprecation != "" {
		names = append(names, "Deprecation", "Sunset")
	}
	if rt.versioned {
		names = append(names, "ETag")
	}
	if rt.versioned && rt.status == http.StatusCreated {
		names = append(names, "Location")
	}
	if rt.Method == http.MethodPost && !rt.public {
		names = append(names, "Idempotent-Replayed")
	}
	return names
}

// failures are the statuses an operation may well be refused with.
func (d *describer) failures(rt *Route) []int {
	out := append([]int{http.StatusInternalServerError}, rt.refuses...)
	writes := rt.Method != http.MethodGet
	for status, may := range map[int]bool{
		http.StatusBadRequest:            true, // a parameter that is unknown, a header given twice
		http.StatusUnauthorized:          !rt.public,
		http.StatusForbidden:             !rt.public,
		http.StatusNotFound:              len(rt.ids()) > 0 || !rt.public && d.iface == auth.InterfaceB, // there another account named is not there
		http.StatusNotAcceptable:         rt.media != "" || rt.formats != nil,
		http.StatusConflict:              writes,
		http.StatusRequestEntityTooLarge: rt.in != nil || rt.files != nil,
		http.StatusUnsupportedMediaType:  rt.in != nil || rt.files != nil,
		http.StatusUnprocessableEntity:   rt.in != nil || rt.files != nil,
		http.StatusPreconditionRequired:  d.mustMatch(rt),
		http.StatusTooManyRequests:       !rt.public,
		http.StatusServiceUnavailable:    writes,
	} {
		if may {
			out = append(out, status)
		}
	}
	slices.Sort(out)
	return out
}
