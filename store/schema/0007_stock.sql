-- Warehouses, and what lies in them. Quantities are millionths of the product's
-- unit, values kuruş. What may never be is refused here too, whoever asks: less
-- than nothing in stock, or more promised than there is.

CREATE TABLE warehouses (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  code TEXT NOT NULL, name_key TEXT NOT NULL, main INTEGER NOT NULL, doc TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX warehouses_id ON warehouses (tenant, id);
CREATE UNIQUE INDEX warehouses_code ON warehouses (tenant, code) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX warehouses_main ON warehouses (tenant) WHERE main = 1 AND deleted_at IS NULL;
CREATE INDEX warehouses_name ON warehouses (tenant, name_key, id);
CREATE INDEX warehouses_updated ON warehouses (tenant, updated_at, id);

-- value is what the goods on hand have cost: goods that leave take their share of
-- it along (weighted average, VUK 274), and the last ones all that is left.
CREATE TABLE stock (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, product TEXT NOT NULL, warehouse TEXT NOT NULL,
  on_hand INTEGER NOT NULL, reserved INTEGER NOT NULL, value INTEGER NOT NULL,
  CHECK (on_hand >= 0 AND reserved >= 0 AND reserved <= on_hand AND value >= 0 AND (on_hand > 0 OR value = 0))
) STRICT;
CREATE UNIQUE INDEX stock_product ON stock (tenant, product, warehouse);
CREATE INDEX stock_warehouse ON stock (tenant, warehouse) WHERE on_hand > 0;

-- The lots (parti) and serial numbers in stock; a row goes with the last of it. A
-- serial number is a lot of one piece that is in one place only. reserved is what
-- orders hold that asked for this very lot.
CREATE TABLE lots (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, product TEXT NOT NULL, warehouse TEXT NOT NULL, lot TEXT NOT NULL,
  serial INTEGER NOT NULL, expires TEXT NOT NULL, on_hand INTEGER NOT NULL, reserved INTEGER NOT NULL,
  CHECK (on_hand > 0 AND reserved >= 0 AND reserved <= on_hand AND (serial = 0 OR on_hand = 1000000))
) STRICT;
CREATE UNIQUE INDEX lots_lot ON lots (tenant, product, warehouse, lot);
CREATE INDEX lots_any ON lots (tenant, product, lot, expires);
CREATE UNIQUE INDEX lots_serial ON lots (tenant, product, lot) WHERE serial = 1;

-- What the lines of orders hold in stock; lot is '' for any.
CREATE TABLE reservations (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, order_id TEXT NOT NULL, line INTEGER NOT NULL,
  product TEXT NOT NULL, warehouse TEXT NOT NULL, lot TEXT NOT NULL, quantity INTEGER NOT NULL,
  CHECK (quantity > 0)
) STRICT;
CREATE UNIQUE INDEX reservations_line ON reservations (tenant, order_id, line, product, warehouse, lot);

-- Every change of stock is a row here, never changed: what was wrong is booked the
-- other way round. quantity and value are the change of on hand and of its value,
-- held that of reserved.
CREATE TABLE movements (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  date TEXT NOT NULL, product TEXT NOT NULL, warehouse TEXT NOT NULL, type TEXT NOT NULL, source TEXT NOT NULL,
  lot TEXT NOT NULL, quantity INTEGER NOT NULL, held INTEGER NOT NULL, value INTEGER NOT NULL, doc TEXT NOT NULL,
  CHECK (type IN ('RECEIPT', 'ISSUE', 'TRANSFER', 'COUNT', 'ADJUSTMENT', 'RESERVATION', 'RELEASE', 'SHIPMENT', 'RETURN'))
) STRICT;
CREATE UNIQUE INDEX movements_id ON movements (tenant, id);
CREATE INDEX movements_product ON movements (tenant, product, id);
CREATE INDEX movements_warehouse ON movements (tenant, warehouse, id);
CREATE INDEX movements_type ON movements (tenant, type, id);
CREATE INDEX movements_date ON movements (tenant, date, id);
CREATE INDEX movements_updated ON movements (tenant, updated_at, id);
CREATE INDEX movements_source ON movements (tenant, source) WHERE source <> '';

-- Counting sheets (sayım fişi).
CREATE TABLE counts (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  warehouse TEXT NOT NULL, status TEXT NOT NULL, date TEXT NOT NULL, doc TEXT NOT NULL,
  CHECK (status IN ('OPEN', 'CLOSED', 'CANCELLED'))
) STRICT;
CREATE UNIQUE INDEX counts_id ON counts (tenant, id);
CREATE INDEX counts_warehouse ON counts (tenant, warehouse, id);
CREATE INDEX counts_status ON counts (tenant, status, id);
CREATE INDEX counts_date ON counts (tenant, date, id);
CREATE INDEX counts_updated ON counts (tenant, updated_at, id);

-- Products are listed by category, and those whose stock is watched are few.
ALTER TABLE products ADD COLUMN category TEXT NOT NULL DEFAULT '';
ALTER TABLE products ADD COLUMN critical INTEGER;
UPDATE products SET critical = CAST(round(json_extract(doc, '$.criticalStock') * 1000000) AS INTEGER)
  WHERE json_extract(doc, '$.criticalStock') IS NOT NULL;
CREATE INDEX products_category ON products (tenant, category, id);
CREATE INDEX products_critical ON products (tenant, id) WHERE critical IS NOT NULL AND deleted_at IS NULL;
