// Command esnaf is a business server for small traders: companies, products and
// electronic invoices in one program with one data folder.
package main

import (
	"os"
	_ "time/tzdata" // a machine may know no time zones

	"esnaf/server/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
