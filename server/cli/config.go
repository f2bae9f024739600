package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// setting is one line of esnaf config.
type setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source"` // flag, an environment variable, a file or default
}

// config shows what serve would be started with, given the same flags, and refuses what
// serve would refuse.
func (c *console) config() *cobra.Command {
	cmd := c.command("config", "Print each setting of the server with its source", cobra.NoArgs, func(cmd *cobra.Command, _ []string) error {
		if err := c.settings.resolve(cmd.Flags(), serverNames()...); err != nil {
			return err
		}
		if _, err := c.plan(); err != nil {
			return err
		}
		var list []setting
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if source, ok := c.settings.sources[f.Name]; ok {
				list = append(list, setting{f.Name, strings.Trim(f.Value.String(), "[]"), source})
			}
		})
		if c.settings.JSON {
			return c.printJSON(map[string]any{"data": list})
		}
		return table(c, "SETTING\tVALUE\tSOURCE", list, func(s setting) []any { return []any{s.Name, s.Value, s.Source} })
	})
	c.settings.serving(cmd.Flags())
	return cmd
}
