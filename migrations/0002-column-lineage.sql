-- Optional: a runner that does not know it leaves it out (docs/operation-log.md).
ALTER TABLE operation_log
    ADD COLUMN IF NOT EXISTS column_lineage String DEFAULT ''
    COMMENT 'which input columns feed each column of the result: JSON, as the columnLineage facet of OpenLineage; empty where that is not known'
    AFTER sql;
