package wire

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"

	"github.com/swaggest/openapi-go/openapi31"

	"esnaf/store/trade"
)

// MaxFile is how many bytes a body may have that is a file.
const MaxFile = 32 << 20

// formMedia is the media type of a form that carries a file, as browsers send it.
const formMedia = "multipart/form-data"

// filePart is the name of the file in a form.
const filePart = "file"

// File reads the body of a request to a route whose Info lists Files: the file
// itself under one of those media types, or a form (multipart/form-data) with one
// part named file. What kind of file it is its content tells. Errors: Malformed,
// TooBig, Unsupported.
func (c *Call) File(w http.ResponseWriter, r *http.Request) (file []byte, sent Sent, err error) {
	if sent.key, err = idempotencyKey(r.Header["Idempotency-Key"], c.route.keyRequired); err != nil {
		return nil, sent, err
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	coding := r.Header.Get("Content-Encoding")
	if err != nil || coding != "" || media != formMedia && !slices.Contains(c.route.files, media) {
		return nil, sent, c.noFile()
	}
	if r.ContentLength > MaxFile {
		return nil, sent, trade.Fail(trade.TooBig, trade.BodyTooLarge, MaxFile)
	}
	if err = readAll(http.MaxBytesReader(w, r.Body, MaxFile), &file, max(r.ContentLength, 0), MaxFile); err != nil {
		return nil, sent, unread(err, MaxFile)
	}
	if media == formMedia {
		if file, media, params, err = fileOf(file, params["boundary"]); err != nil {
			return nil, sent, err
		}
	}
	if strings.HasPrefix(media, "text/") { // of a workbook it says nothing
		sent.Charset = strings.ToLower(params["charset"])
	}
	print := sha256.New()
	print.Write([]byte(r.URL.RawQuery + "\n")) // what is to be done with the file belongs to it
	print.Write(file)
	sent.print = print.Sum(nil)
	return file, sent, nil
}

// noFile names the media types that are taken.
func (c *Call) noFile() error {
	names := strings.Join(append(slices.Clone(c.route.files), formMedia), ", ")
	return trade.Fail(trade.Unsupported, trade.UnsupportedMediaType, trade.Phrase{"one of " + names + " without Content-Encoding", "Content-Encoding olmadan şunlardan biri: " + names})
}

// fileOf finds the one file of a form, and of which type its part says that it is.
func fileOf(form []byte, boundary string) (file []byte, media string, params map[string]string, err error) {
	found, whole := 0, bytes.HasSuffix(bytes.TrimRight(form, " \t\r\n"), []byte("--"+boundary+"--"))
	for parts := multipart.NewReader(bytes.NewReader(form), boundary); ; {
		p, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) && found == 1 {
			return file, media, params, nil
		}
		if err == nil {
			file, err = io.ReadAll(p)
		}
		if err != nil || p.FormName() != filePart || found > 0 || !whole {
			return nil, "", nil, trade.Fail(trade.Malformed, trade.BadRequest, trade.Phrase{
				"the form must be whole and hold one part named file, and nothing else", "form eksiksiz olmalı ve yalnızca file adlı tek bir bölüm içermeli",
			})
		}
		media, params, _ = mime.ParseMediaType(p.Header.Get("Content-Type")) // its content tells what it is
		found++
	}
}

// fileBody describes a body that is a file.
func fileBody(medias []string) *openapi31.RequestBody {
	body := &openapi31.RequestBody{Required: new(true), Content: map[string]openapi31.MediaType{}}
	for _, m := range medias {
		body.Content[m] = openapi31.MediaType{Schema: schema{}}
	}
	body.Content[formMedia] = openapi31.MediaType{Schema: schema{
		"type": "object", "required": []string{filePart}, "properties": schema{filePart: schema{"type": "string", "contentMediaType": "application/octet-stream"}},
	}}
	return body
}
