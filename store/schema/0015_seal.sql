-- A text sealed with the folder's keys: opening it tells that keys.json is the one that
-- belongs to this file.
CREATE TABLE seal (n INTEGER PRIMARY KEY CHECK (n = 1), mark BLOB NOT NULL) STRICT;
