package store

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// migrate brings the file to this program's schema, one numbered step after the
// other, each in a transaction of its own. A file from a newer program is
// refused: what it holds is not known here.
func migrate(c *conn) error {
	names, err := fs.Glob(schemaFiles, "schema/*.sql") // sorted by name, that is by number
	if err != nil {
		return err
	}
	var have int
	if err := c.row("PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if have > len(names) {
		return fmt.Errorf("the database has schema %d, this esnaf knows up to %d: use a newer esnaf", have, len(names))
	}
	for i := have; i < len(names); i++ {
		if err := c.step(names[i], i+1); err != nil {
			return fmt.Errorf("schema %d: %w", i+1, err)
		}
	}
	return nil
}

// step runs one file; its text is not kept as a prepared statement.
func (c *conn) step(name string, version int) error {
	text, err := schemaFiles.ReadFile(name)
	if err != nil {
		return err
	}
	if _, err := c.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := c.script(fmt.Sprintf("%s;\nPRAGMA user_version = %d", text, version)); err != nil {
		c.exec("ROLLBACK")
		return err
	}
	_, err = c.exec("COMMIT")
	return err
}
