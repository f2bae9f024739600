-- The audit is written at its end and read from its beginning, also for what an account's
-- user did (when that user is disabled). Its rows stand in the order they were written,
-- without a key to look for: what it costs a change is one row more.
CREATE TABLE audit_in_order (
  n INTEGER PRIMARY KEY, tenant TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
  object TEXT NOT NULL, request TEXT NOT NULL, addr TEXT NOT NULL, detail TEXT NOT NULL, hash BLOB NOT NULL
) STRICT;
INSERT INTO audit_in_order (tenant, seq, at, actor, action, object, request, addr, detail, hash)
  SELECT tenant, seq, at, actor, action, object, request, addr, detail, hash FROM audit ORDER BY tenant, seq;
DROP TABLE audit;
ALTER TABLE audit_in_order RENAME TO audit;
