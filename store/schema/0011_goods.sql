-- What left with shipments is found by its product: as long as it may come back, the
-- product stays what it is.
CREATE INDEX movements_shipped ON movements (tenant, product, source) WHERE type = 'SHIPMENT';

-- A printed note is copied into one shipment only. Cancelled ones do not count, and older
-- versions let doubles in, so the change that ships looks for another itself.
ALTER TABLE shipments ADD COLUMN printed TEXT NOT NULL DEFAULT '';
UPDATE shipments SET printed = upper(coalesce(trim(doc ->> '$.printed.series') || '-', '') || trim(doc ->> '$.printed.number'))
  WHERE doc ->> '$.printed.number' IS NOT NULL;
CREATE INDEX shipments_printed ON shipments (tenant, printed) WHERE printed <> '';
