package wire

import (
	"slices"
	"strconv"
	"strings"

	"esnaf/store"
	"esnaf/store/trade"
)

// etag writes a record's version as an entity tag (RFC 9110 section 8.8.3): the
// strong tag "7".
func etag(version int64) string { return `"` + strconv.FormatInt(version, 10) + `"` }

// ifMatch reads the If-Match headers of a change. Where none is given, required
// says whether that is an Unmet or matches whatever is there. Weak tags and tags
// of another form are understood and match nothing (a strong comparison, RFC
// 9110 section 13.1.1); a bare 7 is taken for "7", since many clients send the
// version as they read it. Anything else is Malformed.
func ifMatch(headers []string, required bool) (store.Match, error) {
	switch {
	case len(headers) == 0 && required:
		return store.Match{}, trade.Fail(trade.Unmet, trade.PreconditionRequired)
	case len(headers) == 0:
		return store.Any, nil
	}
	tags, ok := entityTags(strings.Join(headers, ","))
	if !ok {
		return store.Match{}, trade.Fail(trade.Malformed, trade.BadIfMatch)
	}
	m := store.Match{}
	for _, t := range tags {
		switch {
		case t == "*" && len(tags) == 1:
			return store.Any, nil
		case t[0] == '"':
			t = t[1 : len(t)-1]
		case t[0] == 'W': // weak: matches nothing
			continue
		case strings.Trim(t, "0123456789") != "":
			return store.Match{}, trade.Fail(trade.Malformed, trade.BadIfMatch)
		}
		if v, err := strconv.ParseInt(t, 10, 64); err == nil && etag(v) == `"`+t+`"` {
			m.Versions = append(m.Versions, v)
		}
	}
	return m, nil
}

// noneMatch tells whether one of the If-None-Match headers names tag, so that a
// GET is answered 304. The comparison is weak (RFC 9110 section 13.1.2); what
// cannot be read matches nothing.
func noneMatch(headers []string, tag string) bool {
	if len(headers) == 0 {
		return false
	}
	tags, ok := entityTags(strings.Join(headers, ","))
	return ok && slices.ContainsFunc(tags, func(t string) bool {
		return t == "*" && len(tags) == 1 || strings.TrimPrefix(t, "W/") == tag
	})
}

// entityTags splits a list of entity tags. A tag is W/"..." or "..." (a comma
// may stand inside the quotes) or a bare word; ok is false for anything else and
// for an empty list.
func entityTags(list string) (tags []string, ok bool) {
	for {
		list = strings.TrimLeft(list, " \t,")
		if list == "" {
			return tags, len(tags) > 0
		}
		n := tagLength(list)
		if n == 0 {
			return nil, false
		}
		tags = append(tags, list[:n])
		list = strings.TrimLeft(list[n:], " \t")
		if list != "" && list[0] != ',' {
			return nil, false
		}
	}
}

// tagLength is how many bytes the tag at the start of list has, 0 when there is
// none.
func tagLength(list string) int {
	quoted, weak := strings.CutPrefix(list, "W/")
	if strings.HasPrefix(quoted, `"`) {
		end := strings.IndexByte(quoted[1:], '"')
		if end < 0 {
			return 0
		}
		return len(list) - len(quoted) + end + 2
	}
	if weak {
		return 0
	}
	if n := strings.IndexAny(list, " \t,\""); n >= 0 {
		return n
	}
	return len(list)
}
