-- Despatch notes travel to the tax office as invoices do.
ALTER TABLE courier RENAME COLUMN invoice TO owner;
ALTER TABLE void_numbers RENAME COLUMN invoice TO owner;

-- The highest discount in 1/10^4 percent that a user may give alone; NULL is any.
ALTER TABLE members ADD COLUMN discount_limit INTEGER;
