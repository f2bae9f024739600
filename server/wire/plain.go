package wire

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"

	"esnaf/store"
)

// Info is what the API description tells of a Plain route, and what its handler
// may lean on: Body reads In, Query reads Params.
type Info struct {
	Name    string   // of the operation; made from the path when empty
	Summary string   // one line
	About   string   // whatever else a caller must know
	In      *Type    // the body; nil for none
	Files   []string // media types of a body that is a file, read by File
	Out     *Type    // the answer's JSON body; nil for none
	Media   string   // of an answer that is not JSON, such as application/xml
	Formats []string // kinds of files that the answer may be as well (FormatParams), sent by Download or Attach; FormatOf judges Accept
	Status  int      // of success; 0 is 200
	Or      int      // the other status of success with the same body, 0 for none
	Params  []Param
	Keys    []Param // parameters of the path that are no ids of records; the handler judges them
}

// Plain serves what fits no other constructor, such as a login, a download or a
// wait. Credentials, limit, scope, ids in the path and Accept have been judged
// when h is called; the error that it returns is answered like any other.
func Plain(method, path, scope string, about Info, h func(*Call, http.ResponseWriter, *http.Request) error) Route {
	rt := Route{
		Method: method, Path: path, Scope: scope, about: about.About, status: about.Status, or: about.Or,
		in: about.In, files: about.Files, out: about.Out, media: about.Media, formats: about.Formats,
		params: func() []Param { return about.Params }, keys: about.Keys, serve: h,
	}
	if rt.status == 0 {
		rt.status = http.StatusOK
	}
	if rt.media == "" && rt.out != nil {
		rt.media = jsonMedia
	}
	rt.Name, rt.Summary = about.Name, about.Summary
	if rt.Name == "" {
		rt.Name = strings.Join(append(rt.segments(), strings.ToLower(method)), ".")
	}
	return rt
}

// JSON answers with v. Records are better sent as they are stored.
func (c *Call) JSON(w http.ResponseWriter, r *http.Request, status int, v any) error {
	body, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return err
	}
	return c.Send(w, r, store.Reply{Status: status, ContentType: jsonMedia, Body: body})
}
