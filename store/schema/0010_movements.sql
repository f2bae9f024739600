-- Movements are listed by what they were for: an order, or the shipment that took the
-- goods along.
ALTER TABLE movements ADD COLUMN order_id TEXT NOT NULL DEFAULT '';
UPDATE movements SET order_id = coalesce(doc ->> 'orderId', '');
CREATE INDEX movements_order ON movements (tenant, order_id, id);
DROP INDEX movements_source;
CREATE INDEX movements_source ON movements (tenant, source, id);
