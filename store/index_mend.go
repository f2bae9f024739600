package store

import (
	"context"
	"fmt"
)

// RepairIndexes tells which indexes have not the rows that their tables have, a sentence
// each; with mend it makes those anew from the tables, and left is what it could not. Of a
// file that is damaged otherwise it tells that, and mends nothing.
func (db *DB) RepairIndexes(ctx context.Context, who Who, mend bool) (found, left []string, err error) {
	behind, found, err := db.indexFaults(ctx, who)
	if err != nil || !mend || len(behind) == 0 {
		return found, found, err
	}
	var twice []string
	for _, index := range behind {
		err := db.Write(ctx, who, func(tx *Tx) error {
			_, err := tx.exec(`REINDEX "` + index.name + `"`)
			return err
		})
		switch {
		case err != nil && codeOf(err) == codeUnique:
			twice = append(twice, fmt.Sprintf("%s cannot be made: the table has two rows that must not be the same by it; %s", index, restore))
		case err != nil:
			return found, found, err
		}
	}
	if len(twice) > 0 {
		return found, twice, nil
	}
	_, left, err = db.indexFaults(ctx, who)
	return found, left, err
}

// indexFaults is View.fileFaults of the file as it is now.
func (db *DB) indexFaults(ctx context.Context, who Who) (behind []tree, said []string, err error) {
	err = db.survey(ctx, who, func(v *View) (err error) {
		behind, said, err = v.fileFaults()
		return err
	})
	return behind, said, err
}
