-- Lots leave in the order of the day up to which they do so by themselves; those that
-- never expire after all others, as letters come after digits. Whoever takes some finds
-- the next to leave in one step, however many lots there are.
ALTER TABLE lots ADD COLUMN good_until TEXT AS (iif(expires = '', 'always', expires));
CREATE INDEX lots_leave ON lots (tenant, product, warehouse, good_until, n) WHERE reserved < on_hand;

-- Imports look contacts up by their e-mail address.
ALTER TABLE contacts ADD COLUMN email TEXT NOT NULL DEFAULT '';
UPDATE contacts SET email = coalesce(iif(json_valid(doc), doc, '{}') ->> '$.email', '');
CREATE INDEX contacts_email ON contacts (tenant, company_id, email) WHERE deleted_at IS NULL;
