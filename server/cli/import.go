package cli

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"esnaf/server"
)

const importHelp = `Brings the records of FILE into a tenant: a CSV file (comma, semicolon or tab, or
what a first line such as sep=; says; UTF-8 or windows-1254) or the first sheet of
an XLSX workbook, at most 200000 rows and 192 MiB in all cells. The first row holds
the titles, in Turkish or English: Ünvan or name, Vergi No or taxNumber ... A title
that is not known is refused, and the known ones are listed. FILE may be a pipe, as
/dev/stdin or <(...) are: what comes is kept in the data folder until it is read.

A row changes the record with its code, for contacts that of its company (Firma
Kodu) with its e-mail address, and makes one when there is none. A contact with an
id in its row, or a company or product with an id and without a code, is the one
with that id; when the tenant has none, the row is faulty, and so is one without an
id whose company has several contacts with its e-mail address. An empty cell leaves
the field as it is. Blanks around a cell are dropped, and line ends inside one
(CRLF) become LF in CSV.

A file of an export can be brought back: its columns that nobody can set (version,
createdAt ...) are ignored, and rows of deleted records (deletedAt is filled) are
faulty. One faulty row, and nothing is written, unless --skip-bad leaves those rows
out.

All rows are judged before the first is written, but they are not written in one
step: where the program is killed in between, the rows before stay. Then run it
again: rows with a code (contacts: an e-mail address or id) that are written already
stay as they are; rows without one are made a second time.`

func (c *console) importFiles() *cobra.Command {
	return c.group("import", "Bring in companies, products or contacts from CSV or XLSX files", importHelp,
		c.importOne("companies"), c.importOne("products"), c.importOne("contacts"))
}

// Errors that end an import which wrote nothing because of its file; what is wrong has
// been printed.
var (
	errFaulty = errors.New("nothing was imported: correct the file, or leave out the faulty rows with --skip-bad")
	errTitles = errors.New("nothing was imported: correct the titles of the file")
)

func (c *console) importOne(resource string) *cobra.Command {
	in := server.FileImport{Resource: resource}
	cmd := c.operation(resource+" FILE", "Import "+resource, oneFile, func(cmd *cobra.Command, args []string) (err error) {
		var out server.ImportReport
		err = c.withFile(cmd, args[0], func(path string) (err error) {
			in.File = path
			out, err = c.bring(cmd, in)
			return err
		})
		if err != nil {
			return err
		}
		return c.tellImport(in, out)
	})
	cmd.Long = cmd.Short + ".\n\n" + importHelp
	f := cmd.Flags()
	f.StringVar(&in.Tenant, "tenant", "", "id of the tenant, required")
	f.BoolVar(&in.DryRun, "dry-run", false, "only judge the file and tell what would be done")
	f.BoolVar(&in.SkipBad, "skip-bad", false, "leave out rows with faults instead of refusing the file")
	return cmd
}

// bring carries the import out, and shows how far it is.
func (c *console) bring(cmd *cobra.Command, in server.FileImport) (out server.ImportReport, err error) {
	params, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	clear := c.showProgress(cmd, "importing")
	answer, err := perform(cmd.Context(), c.settings.Data, "import", params)
	clear()
	if err != nil {
		return out, inFlags(err)
	}
	if err := json.Unmarshal(answer, &out); err != nil {
		return out, fmt.Errorf("the server's answer cannot be read: %w", err)
	}
	return out, nil
}

// tellImport prints the report. Faults that kept the file out are a failure, for
// scripts to see.
func (c *console) tellImport(in server.FileImport, out server.ImportReport) (err error) {
	if c.settings.JSON {
		err = c.printJSON(out)
	} else {
		if len(out.Faults) > 0 {
			err = table(c, "ROW\tCOLUMN\tFAULT", out.Faults, func(f server.ImportFault) []any { return []any{f.Row, f.Column, f.Message} })
		}
		if out.MoreFaults > 0 {
			c.note("%d more fault{1: is|s are} not listed", out.MoreFaults)
		}
		form := "%d row{1:|s}: %d created, %d changed, %d unchanged, %d faulty%s\n"
		if out.DryRun {
			form = "%d row{1:|s}: %d to be created, %d to be changed, %d unchanged, %d faulty%s\n"
		}
		rest := ""
		if n := out.Rows - out.Created - out.Updated - out.Unchanged - out.Skipped; n > 0 {
			rest = fmt.Sprintf(", %d right but not imported", n)
		}
		err = errors.Join(err, c.print(form, out.Rows, out.Created, out.Updated, out.Unchanged, out.Skipped, rest))
	}
	switch {
	case err != nil || len(out.Faults) == 0:
		return err
	case out.Rows == 0: // they were not looked at
		return errTitles
	case !in.SkipBad:
		return errFaulty
	}
	return nil
}
