package server_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// complaints are all the ways in which an answer, or the request that was
// answered with success, is not as described.
func complaints(req *http.Request, res response) (all []string) {
	all = append(all, plainComplaints(req, res)...)
	c := contractOf(req.URL.Path)
	switch {
	case c == nil, req.Method == http.MethodOptions, res.status == http.StatusMethodNotAllowed, res.status == http.StatusRequestURITooLong:
		return all // no operation answers so
	}
	op := c.operation(req.Method, req.URL.EscapedPath())
	if op == nil {
		if res.status < 400 {
			all = append(all, "a success that no description knows")
		}
		return all
	}
	all = append(all, op.headerComplaints(res)...)
	if req.Method == http.MethodHead || strings.Contains(req.URL.EscapedPath(), "..%2f") {
		return all // of a path that could be read as another one, the judge says nothing else
	}
	if _, errs := c.judge.ValidateHttpResponse(again(req), res.again()); len(errs) > 0 {
		all = append(all, fmt.Sprint("the answer: ", errs))
	}
	if res.status < 300 && !strings.HasSuffix(req.URL.Path, "/bulk") { // there each item is judged for itself
		if _, errs := c.judge.ValidateHttpRequestSync(spelledOut(again(req))); len(errs) > 0 {
			all = append(all, fmt.Sprint("the request: ", errs))
		}
	}
	return all
}

// unspoken are headers of which descriptions say nothing: they are HTTP's own, or
// of every answer.
var unspoken = []string{
	"Date", "Connection", "Content-Length", "Content-Type", "Content-Encoding", "Vary", "Cache-Control", "X-Content-Type-Options", "Allow",
	"Content-Disposition", "X-Document-Preview", "Idempotent-Replayed", "Retry-After",
}

// headerComplaints compares the status and the headers of an answer with those
// that are listed for it.
func (op *operation) headerComplaints(res response) (all []string) {
	listed, known := op.Responses[strconv.Itoa(res.status)]
	if !known {
		return []string{"the status is not listed"}
	}
	for name := range listed {
		if res.header.Get(name) == "" && !slices.Contains(unspoken, name) {
			all = append(all, "the header "+name+" is missing")
		}
	}
	for name := range res.header {
		limit := res.status >= 400 && strings.HasPrefix(strings.TrimPrefix(name, "X-"), "Ratelimit") // on every answer to a known caller
		if !listed[name] && !limit && !slices.Contains(unspoken, name) {
			all = append(all, "the header "+name+" is not listed")
		}
	}
	return all
}

// leak is what no caller may ever read: the inside of the program.
var leak = regexp.MustCompile(`(?i:sqlite|goroutine |panic|runtime error|\.go:\d|esnaf/|\bselect |\binsert )|\b(trade|store|wire|json|jsontext)[.:][A-Za-z ]`)

// plainComplaints are those that need no description.
func plainComplaints(req *http.Request, res response) (all []string) {
	id, replay := res.header.Get("X-Request-Id"), res.header.Get("Idempotent-Replayed") != ""
	if id == "" {
		all = append(all, "no X-Request-Id")
	}
	if req.Method == http.MethodHead || req.Method == http.MethodOptions || res.status < 400 {
		if media := res.header.Get("Content-Type"); media == "application/json" && req.Method != http.MethodHead && !jsontext.Value(res.body).IsValid() {
			all = append(all, "the body is no strict JSON")
		}
		return all
	}
	if strings.HasPrefix(req.URL.Path, "/readyz") {
		return all
	}
	var p struct {
		Type, Title, Detail, Message, Code, RequestID string
		Status                                        int
	}
	err := json.Unmarshal(res.body, &p, json.MatchCaseInsensitiveNames(true))
	switch {
	case res.header.Get("Content-Type") != "application/problem+json" || err != nil:
		all = append(all, fmt.Sprintf("no problem: %s %.200s", res.header.Get("Content-Type"), res.body))
	case p.Message == "" || p.Code == "" || p.Type != "urn:esnaf:problem:"+p.Code || p.Status != res.status || p.RequestID != id && !replay: // a replay is the first answer to the byte
		all = append(all, fmt.Sprintf("a half problem: %.300s", res.body))
	case leak.Match(res.body):
		all = append(all, fmt.Sprintf("it shows the program's inside: %.300s", res.body))
	}
	return all
}

// again is a request once more, for somebody who reads its body.
func again(req *http.Request) *http.Request {
	out := req.Clone(req.Context())
	if req.GetBody != nil {
		out.Body, _ = req.GetBody() // it reads from a string
	}
	if req.Method == http.MethodHead {
		out.Method = http.MethodGet
	}
	return out
}

// spelledOut is a request without what its description says once for all members
// and not at each: null, and an empty text for one of a few values, are the same
// as no member, and what is ignored may be anything, a number that no float holds
// included.
func spelledOut(req *http.Request) *http.Request {
	if req.Body == nil || req.ContentLength <= 0 {
		return req
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		panic(err) // it is a string
	}
	var v any
	body = bytes.ReplaceAll(body, []byte("1e400"), []byte("1"))
	if (bytes.Contains(body, []byte("null")) || bytes.Contains(body, []byte(`""`))) && json.Unmarshal(body, &v) == nil {
		body, _ = json.Marshal(dropEmpty(v))
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.ContentLength = int64(len(body))
	return req
}

func dropEmpty(v any) any {
	switch v := v.(type) {
	case schema:
		for name, part := range v {
			if part == nil || part == "" {
				delete(v, name)
			} else {
				dropEmpty(part)
			}
		}
	case []any:
		for _, part := range v {
			dropEmpty(part)
		}
	}
	return v
}

func (res response) again() *http.Response {
	return &http.Response{StatusCode: res.status, Header: res.header, Body: io.NopCloser(bytes.NewReader(res.body)), ContentLength: int64(len(res.body))}
}
