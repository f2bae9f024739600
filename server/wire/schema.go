package wire

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"esnaf/store/trade"
)

// schema is a JSON Schema (2020-12, as OpenAPI 3.1 has it).
type schema = map[string]any

// schemas makes the schemas of a description. Every named Go struct becomes a
// component: Company as it is answered, CompanyInput as it is sent, because the
// two ask for different members.
type schemas struct {
	components map[string]schema
	owners     map[string]reflect.Type
	err        error
}

func ref(component string) schema { return schema{"$ref": "#/components/schemas/" + component} }

// of is the schema of a shape, as a body or as an answer.
func (d *schemas) of(s *shape, input bool) schema {
	switch s.kind {
	case object:
		return d.object(s, input)
	case array:
		return schema{"type": "array", "items": d.of(s.elem, input)}
	case labels:
		return schema{"type": "object", "additionalProperties": schema{"type": "string"}}
	case text:
		if s.values != nil {
			return schema{"type": "string", "enum": s.values}
		}
		return schema{"type": "string"}
	case integer:
		return schema{"type": "integer"}
	case boolean:
		return schema{"type": "boolean"}
	case decimal:
		return s.number.schema(input)
	case date:
		return schema{"type": "string", "format": "date"}
	case instant:
		return schema{"type": "string", "format": "date-time"}
	}
	return schema{}
}

// schema of a decimal: always a string in an answer; in a body a number does too.
func (n *number) schema(input bool) schema {
	s := schema{
		"type":     "string",
		"pattern":  fmt.Sprintf(`^-?(0|[1-9][0-9]{0,%d})(\.[0-9]{1,%d})?$`, n.digits-1, n.decimals),
		"examples": []string{n.example},
	}
	if input {
		s["type"] = []string{"string", "number"}
	}
	return s
}

// object files a struct as a component and refers to it; one without a name is
// written where it stands.
func (d *schemas) object(s *shape, input bool) schema {
	name := componentName(s.of.Name(), input)
	if name == "" {
		return d.members(s, input)
	}
	if other, taken := d.owners[name]; taken {
		if other != s.of && d.err == nil {
			d.err = fmt.Errorf("two types are called %s: %v and %v", name, other, s.of)
		}
		return ref(name)
	}
	d.owners[name] = s.of // before its members, which may hold it again
	d.components[name] = d.members(s, input)
	return ref(name)
}

// componentName turns the name of a Go type into that of a component: Company,
// CompanyInput, and Login and LoginInput of loginOutput and loginInput. A
// generic type has none that OpenAPI allows.
func componentName(of string, input bool) string {
	if of == "" || strings.Contains(of, "[") {
		return ""
	}
	name := strings.TrimSuffix(strings.TrimSuffix(of, "Input"), "Output")
	name = strings.ToUpper(name[:1]) + name[1:]
	if input {
		name += "Input"
	}
	return name
}

func (d *schemas) members(s *shape, input bool) schema {
	properties, required := schema{}, []string{}
	for _, f := range s.fields {
		p := d.member(&f, input)
		properties[f.name] = p
		if input && f.required || !input && f.always {
			required = append(required, f.name)
		}
	}
	if input && s.isRecord() && s.field("tenantId") == nil {
		properties["tenantId"] = schema{"readOnly": true, "description": "the own account's is taken and ignored, another's refused"}
	}
	out := schema{"type": "object", "properties": properties}
	if len(required) > 0 {
		out["required"] = required
	}
	if input { // answers may grow members, bodies take no unknown ones
		out["additionalProperties"] = false
	}
	return out
}

// patch is what a merge patch of an object may hold: any of its members, or null
// for what is to go.
func (d *schemas) patch(s *shape) schema {
	name := componentName(s.of.Name(), false) + "Patch"
	if d.components[name] == nil {
		all := d.members(s, true)
		delete(all, "required")
		properties := all["properties"].(schema)
		for member, p := range properties {
			if p.(schema)["readOnly"] == true { // takes anything already
				continue
			}
			properties[member] = schema{"anyOf": []any{p, schema{"type": "null"}}}
		}
		d.components[name] = all
	}
	return ref(name)
}

func (d *schemas) member(f *field, input bool) schema {
	if f.readonly && input {
		return schema{"readOnly": true, "description": "taken and ignored, so that a record can be sent back as it was read"}
	}
	p := d.of(f.shape, input)
	if f.readonly {
		p["readOnly"] = true
	}
	if f.doc != "" {
		p["description"] = f.doc
	}
	return p
}

// problems files the schemas of errors and of what every list ends with.
func (d *schemas) common() {
	codes := trade.Codes()
	slices.Sort(codes)
	sentences := make([]string, len(codes))
	for i, c := range codes {
		sentences[i] = trade.Described(c, trade.English)
	}
	message := schema{"type": "string", "description": "in English, or in Turkish where Accept-Language prefers it"}
	d.components["Code"] = schema{
		"type": "string", "enum": codes, "x-enum-descriptions": sentences,
		"description": "the closed list of what can go wrong; codes are stable, sentences are not",
	}
	d.components["Fault"] = schema{
		"type": "object", "required": []string{"field", "code", "message"},
		"properties": schema{
			"field":   schema{"type": "string", "description": "JSON path of the field", "examples": []string{"lines[0].vatRate"}},
			"code":    ref("Code"),
			"message": message,
			"allowed": schema{"type": "array", "items": schema{"type": "string"}, "description": "the values that the field may have, when they are few"},
		},
	}
	d.components["Problem"] = schema{
		"type": "object", "description": "an error (RFC 9457)",
		"required": []string{"type", "title", "status", "detail", "message", "code", "requestId", "errors"},
		"properties": schema{
			"type":           schema{"type": "string", "format": "uri", "examples": []string{problemType + string(trade.VersionConflict)}},
			"title":          schema{"type": "string"},
			"status":         schema{"type": "integer", "description": "the HTTP status"},
			"detail":         schema{"type": "string", "description": "the same as message"},
			"message":        message,
			"code":           ref("Code"),
			"requestId":      schema{"type": "string", "description": "X-Request-Id, to be told when asking for help"},
			"errors":         schema{"type": "array", "items": ref("Fault"), "description": fmt.Sprintf("every wrong field, at most %d that could not be read; empty when the request as a whole is refused", maxFaults)},
			"currentVersion": schema{"type": "integer", "description": "with version_conflict: the version that is current"},
			"tenants": schema{
				"type": "array", "description": "with tenant_required: the accounts to choose from",
				"items": schema{"type": "object", "required": []string{"id", "name"}, "properties": schema{"id": schema{"type": "string"}, "name": schema{"type": "string"}}},
			},
		},
	}
	d.components["PageInfo"] = schema{
		"type": "object", "required": []string{"limit", "hasMore", "nextCursor"},
		"properties": schema{
			"limit":      schema{"type": "integer", "description": "records per page as asked for, or as set when not"},
			"hasMore":    schema{"type": "boolean"},
			"nextCursor": schema{"type": []string{"string", "null"}, "description": "cursor of the next page; null on the last"},
			"page":       schema{"type": "integer", "description": "only when page was asked for"},
			"total":      schema{"type": "integer", "description": "records of all pages; only when page was asked for"},
			"totalPages": schema{"type": "integer", "description": "only when page was asked for"},
		},
	}
}
