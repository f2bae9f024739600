package store

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// schemas are the files of the schema, sorted by name, that is by number.
func schemas() ([]string, error) { return fs.Glob(schemaFiles, "schema/*.sql") }

// migrate brings the file to this program's schema, one numbered step after the
// other, each in a transaction of its own.
func migrate(c *conn) error {
	names, err := schemas()
	if err != nil {
		return err
	}
	have, err := c.schema()
	if err != nil {
		return err
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
