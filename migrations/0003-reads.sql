-- Optional: a runner that does not know it leaves it out (docs/operation-log.md).
ALTER TABLE operation_log
    ADD COLUMN IF NOT EXISTS reads String DEFAULT ''
    COMMENT 'every table that the SQL reads: JSON, a list of {"database", "name"}; empty where that is not known'
    AFTER column_lineage;
