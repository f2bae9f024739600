package wire

import (
	"net/http"
	"strings"

	"esnaf/store/trade"
)

// weighed calls fn with each element of a list header such as Accept, without
// its parameters, and its weight in thousandths (RFC 9110 section 12.4.2). A
// weight that cannot be read is 1.
func weighed(headers []string, fn func(name string, weight int)) {
	for _, h := range headers {
		for item := range strings.SplitSeq(h, ",") {
			name, params, _ := strings.Cut(item, ";")
			weight := 1000
			for p := range strings.SplitSeq(params, ";") {
				key, value, _ := strings.Cut(strings.TrimSpace(p), "=")
				if strings.EqualFold(key, "q") {
					weight = thousandths(value)
				}
			}
			if name = strings.TrimSpace(name); name != "" {
				fn(name, weight)
			}
		}
	}
}

// thousandths reads 0, 0.5 or 1.000.
func thousandths(s string) int {
	whole, part, _ := strings.Cut(s, ".")
	if whole != "0" || len(part) > 3 || strings.Trim(part, "0123456789") != "" {
		return 1000
	}
	n := 0
	for i := range 3 {
		n *= 10
		if i < len(part) {
			n += int(part[i] - '0')
		}
	}
	return n
}

// accepts tells whether the Accept headers allow media, a type such as
// application/json: the most specific range that covers it decides. Without a
// header everything is allowed.
func accepts(headers []string, media string) bool {
	if len(headers) == 0 || len(headers) == 1 && (headers[0] == "*/*" || headers[0] == media || headers[0] == "") {
		return true
	}
	group, _, _ := strings.Cut(media, "/")
	most, weight := 0, 0
	weighed(headers, func(name string, w int) {
		exact := 0
		switch {
		case strings.EqualFold(name, media):
			exact = 3
		case strings.EqualFold(name, group+"/*"):
			exact = 2
		case name == "*/*":
			exact = 1
		}
		if exact > most || exact == most && exact > 0 && w > weight {
			most, weight = exact, w
		}
	})
	return weight > 0
}

// coding is how an answer may be encoded.
type coding struct{ gzip, identity bool }

// codings reads Accept-Encoding. Identity is allowed unless it is ruled out by
// name or by a * (RFC 9110 section 12.5.3).
func codings(headers []string) coding {
	if len(headers) == 0 {
		return coding{identity: true}
	}
	gzip, identity, star := -1, -1, -1
	weighed(headers, func(name string, w int) {
		switch strings.ToLower(name) {
		case "gzip", "x-gzip":
			gzip = w
		case "identity":
			identity = w
		case "*":
			star = w
		}
	})
	if gzip < 0 {
		gzip = star
	}
	if identity < 0 && star == 0 {
		identity = 0
	}
	return coding{gzip: gzip > 0, identity: identity != 0}
}

// TakesGzip tells whether the caller of r takes a body in gzip form.
func TakesGzip(r *http.Request) bool { return codings(r.Header["Accept-Encoding"]).gzip }

// Language is the one that the caller of r reads messages in.
func Language(r *http.Request) trade.Lang { return language(r.Header["Accept-Language"]) }

// language chooses between the two languages of messages by Accept-Language: the
// one that weighs more, of equal ones the first, English when neither is named.
func language(headers []string) trade.Lang {
	lang, most := trade.English, 0
	weighed(headers, func(name string, w int) {
		tag, _, _ := strings.Cut(strings.ToLower(name), "-")
		if w <= most || tag != "tr" && tag != "en" {
			return
		}
		most, lang = w, trade.English
		if tag == "tr" {
			lang = trade.Turkish
		}
	})
	return lang
}
