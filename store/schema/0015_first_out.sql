-- Lots leave in the order of the day up to which they do so by themselves; those that
-- never expire after all others, as letters come after digits. Whoever takes some finds
-- the next to leave in one step, however many lots there are.
ALTER TABLE lots ADD COLUMN good_until TEXT AS (iif(expires = '', 'always', expires));
CREATE INDEX lots_leave ON lots (tenant, product, warehouse, good_until, n) WHERE reserved < on_hand;
