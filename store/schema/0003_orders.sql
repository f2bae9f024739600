-- Orders and shipments.

CREATE TABLE orders (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  number TEXT NOT NULL, company_id TEXT NOT NULL, status TEXT NOT NULL, order_date TEXT NOT NULL, doc TEXT NOT NULL,
  CHECK (status IN ('DRAFT', 'PENDING_APPROVAL', 'CONFIRMED', 'PARTIALLY_SHIPPED', 'SHIPPED', 'CANCELLED'))
) STRICT;
CREATE UNIQUE INDEX orders_id ON orders (tenant, id);
CREATE UNIQUE INDEX orders_number ON orders (tenant, number) WHERE deleted_at IS NULL;
CREATE INDEX orders_company ON orders (tenant, company_id, id);
CREATE INDEX orders_status ON orders (tenant, status, id);
CREATE INDEX orders_ordered ON orders (tenant, order_date, id);
CREATE INDEX orders_updated ON orders (tenant, updated_at, id);

CREATE TABLE shipments (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, deleted_at INTEGER, search TEXT NOT NULL,
  number TEXT NOT NULL, company_id TEXT NOT NULL, status TEXT NOT NULL, despatch_date TEXT NOT NULL, doc TEXT NOT NULL,
  CHECK (status IN ('PREPARED', 'DESPATCHED', 'DELIVERED', 'RETURNED', 'CANCELLED'))
) STRICT;
CREATE UNIQUE INDEX shipments_id ON shipments (tenant, id);
CREATE UNIQUE INDEX shipments_number ON shipments (tenant, number);
CREATE INDEX shipments_company ON shipments (tenant, company_id, id);
CREATE INDEX shipments_status ON shipments (tenant, status, id);
CREATE INDEX shipments_despatched ON shipments (tenant, despatch_date, id);
CREATE INDEX shipments_updated ON shipments (tenant, updated_at, id);
