package trade

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// faults lists what a Check found, in its order.
func (c *Check) list() string {
	var all []string
	for _, f := range c.top().faults {
		all = append(all, f.Field+" "+string(f.Code))
	}
	return strings.Join(all, ", ")
}

func TestACheckCollectsTheFirstFaultOfEachField(t *testing.T) {
	var c Check
	if c.Err() != nil || c.Has("name") {
		t.Error("an empty Check found something")
	}
	c.Add("name", Required)
	c.Add("name", TooLong, 5)
	line := c.In("lines[0]")
	line.Add("vatRate", OutOfRange, 0, 100)
	line.In("tax").Add("code", Required)
	c.AddFault(Fault{Field: "lines[0].vatRate", Code: Required})
	if want := "name required, lines[0].vatRate out_of_range, lines[0].tax.code required"; c.list() != want {
		t.Errorf("found %s, want %s", c.list(), want)
	}
	for field, has := range map[string]bool{"vatRate": true, "name": false, "tax.code": true} {
		if line.Has(field) != has {
			t.Errorf("lines[0].%s has a fault: %v", field, !has)
		}
	}
	if !c.Has("x", "name") || c.Has("x", "y") || c.Has() {
		t.Error("Has asks for any of its fields")
	}
	e := &Error{}
	if !errors.As(line.Err(), &e) || e.Kind != Invalid || e.Code != ValidationFailed || len(e.Faults) != 3 {
		t.Errorf("told as %+v", e)
	}
	if e.Faults[0].Code = TooLong; c.faults[0].Code != Required {
		t.Error("the error and the Check share their faults")
	}
}

// A reference into another account outweighs all else that is wrong.
func TestAnotherAccountsRecordOutweighsOtherFaults(t *testing.T) {
	var c Check
	c.Add("name", Required)
	c.Add("companyId", CrossTenant)
	e := &Error{}
	if !errors.As(c.Err(), &e) || e.Kind != Forbidden || e.Code != CrossTenant || len(e.Faults) != 2 {
		t.Errorf("told as %+v", e)
	}
}

func TestMaxCountsCharacters(t *testing.T) {
	for text, tooLong := range map[string]bool{"": false, "şşş": false, "abc": false, "şşşş": true, "abcd": true, "🙂🙂🙂": false} {
		var c Check
		if c.Max("x", text, 3); c.Has("x") != tooLong {
			t.Errorf("%q is too long: %v", text, !tooLong)
		}
	}
}

func TestOneOfTellsWhatIsAllowed(t *testing.T) {
	var c Check
	OneOf(&c, "type", Customer, Customer, Supplier)
	if c.Err() != nil {
		t.Error(c.Err())
	}
	OneOf(c.In("a"), "type", CompanyType("X"), Customer, Supplier)
	f := c.faults[0]
	if f.Field != "a.type" || strings.Join(f.Allowed, " ") != "CUSTOMER SUPPLIER" || f.Text(English) != `a.type cannot be "X"; allowed are CUSTOMER, SUPPLIER.` {
		t.Errorf("%+v said %q", f, f.Text(English))
	}
}

func TestKindOfLooksThroughWrapping(t *testing.T) {
	e := Fail(Conflict, VersionConflict, 7).With("currentVersion", 7)
	for _, err := range []error{e, fmt.Errorf("while writing: %w", e), errors.Join(errors.New("x"), e)} {
		if KindOf(err) != Conflict {
			t.Errorf("%v is %q", err, KindOf(err))
		}
	}
	if KindOf(nil) != "" || KindOf(errors.New("x")) != "" || e.Extra["currentVersion"] != 7 {
		t.Error("other errors have no kind")
	}
}

// A body with thousands of faults must not take longer than its size allows.
func TestManyFaultsAreCheap(t *testing.T) {
	var c Check
	for i := range 200_000 {
		c.In(fmt.Sprintf("lines[%d]", i)).Add("quantity", MustBePositive)
	}
	if n := len(c.faults); n != 200_000 {
		t.Errorf("%d faults", n)
	}
}
