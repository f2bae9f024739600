-- Whether a company has room for what is at the tax office is asked at every send: its
-- largest invoice there is found in one step.
CREATE INDEX invoices_queued ON invoices (tenant, company_id, total) WHERE status = 'QUEUED';
