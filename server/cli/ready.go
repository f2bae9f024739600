package cli

import (
	"fmt"
	"os"

	"github.com/go-json-experiment/json"

	"esnaf/server/standin"
	"esnaf/store"
)

// ready is what a started server says of itself (DECISIONS 44).
type ready struct {
	URL     string               `json:"url"`
	PID     int                  `json:"pid"`
	Tenants []standin.DemoTenant `json:"tenants"` // of the demo, with their secrets; otherwise empty
}

// announce writes the ready file first: who waits for the line on standard
// output finds it complete.
func (c *console) announce(r ready, dir string) error {
	if path := c.settings.ReadyFile; path != "" {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := store.WritePrivate(path, append(line, '\n')); err != nil {
			return fmt.Errorf("the ready file %s cannot be written: %w", path, err)
		}
	}
	if c.settings.JSON {
		return c.printJSON(r)
	}
	if err := c.print("esnaf %s ready at %s (data %s, authority simulated)\n", Version, r.URL, dir); err != nil {
		return err
	}
	return c.demoText(r)
}

// retract takes the ready file away, also one that a killed server left: nothing is
// ready any more, or not yet.
func (c *console) retract() {
	if info, err := os.Lstat(c.settings.ReadyFile); err == nil && info.Mode().IsRegular() {
		_ = os.Remove(c.settings.ReadyFile)
	}
}

// demoText tells a person how to begin with the demo.
func (c *console) demoText(r ready) error {
	if len(r.Tenants) == 0 {
		return nil
	}
	t := r.Tenants[0]
	return c.print(`
Demo of %[1]d tenants; the first is %[2]s.
  login  %[3]s  password %[4]s
  key    %[5]s  (Interface B)

Try it:
  curl -s -H 'x-api-key: %[5]s' '%[6]s/api/v1/companies?limit=3'
  curl -s -H 'x-api-key: %[5]s' '%[6]s/api/v1/finance/invoices?limit=1'
  curl -s -H 'Content-Type: application/json' -d '{"email":"%[3]s","password":"%[4]s"}' '%[6]s/api/auth/login'
`, len(r.Tenants), t.Name, t.MasterEmail, t.MasterPassword, t.APIKey, r.URL)
}
