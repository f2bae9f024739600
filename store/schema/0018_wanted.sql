-- Which orders that are to be shipped have a line of a product: whoever changes what the
-- product is asks for that, and need not read every open order. The file keeps it; lines
-- change only before, while the order is a draft.
CREATE TABLE wanted (
  tenant TEXT NOT NULL, product TEXT NOT NULL, order_id TEXT NOT NULL, PRIMARY KEY (tenant, product, order_id)
) STRICT, WITHOUT ROWID;
INSERT INTO wanted (tenant, product, order_id)
  SELECT DISTINCT tenant, line ->> 'productId', id FROM (
    SELECT o.tenant, o.id, iif(l.type = 'object', l.value, '{}') AS line
    FROM orders o, json_each(iif(json_valid(o.doc), o.doc, '{}'), '$.lines') l
    WHERE o.status IN ('CONFIRMED', 'PARTIALLY_SHIPPED') AND o.deleted_at IS NULL
  ) WHERE line ->> 'productId' IS NOT NULL;

CREATE TRIGGER opened AFTER UPDATE OF status ON orders
  WHEN new.status IN ('CONFIRMED', 'PARTIALLY_SHIPPED') AND old.status NOT IN ('CONFIRMED', 'PARTIALLY_SHIPPED') BEGIN
  INSERT INTO wanted (tenant, product, order_id)
    SELECT DISTINCT new.tenant, value ->> 'productId', new.id FROM json_each(new.doc, '$.lines') WHERE value ->> 'productId' IS NOT NULL;
END;
CREATE TRIGGER ended AFTER UPDATE OF status ON orders
  WHEN old.status IN ('CONFIRMED', 'PARTIALLY_SHIPPED') AND new.status NOT IN ('CONFIRMED', 'PARTIALLY_SHIPPED') BEGIN
  DELETE FROM wanted WHERE tenant = new.tenant AND order_id = new.id
    AND product IN (SELECT value ->> 'productId' FROM json_each(new.doc, '$.lines'));
END;
