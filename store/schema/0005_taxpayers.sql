-- A new list of registered users is written beside the one in force, which it
-- then replaces at once: current says which of them counts.
CREATE TABLE taxpayer_list (one INTEGER PRIMARY KEY CHECK (one = 1), current INTEGER NOT NULL) STRICT;
INSERT INTO taxpayer_list (one, current) VALUES (1, 1);

CREATE TABLE listed (
  list INTEGER NOT NULL, tax_number TEXT NOT NULL, document TEXT NOT NULL, alias TEXT NOT NULL, title TEXT NOT NULL,
  type TEXT NOT NULL, since INTEGER NOT NULL, PRIMARY KEY (list, tax_number, document, alias)
) STRICT, WITHOUT ROWID;
INSERT INTO listed (list, tax_number, document, alias, title, type, since)
  SELECT 1, tax_number, document, alias, title, type, since FROM taxpayers;
DROP TABLE taxpayers;
ALTER TABLE listed RENAME TO taxpayers;
