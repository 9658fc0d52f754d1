-- What was done, when and for whom (docs/privacy.md#the-audit-log). Clew only adds lines. A line may be there twice, with the same id.
CREATE TABLE IF NOT EXISTS audit_log
(
    at DateTime64(3, 'UTC'),
    id String,
    kind LowCardinality(String) COMMENT 'model_call, query, answer, replay, draft, press, token or access',
    person String COMMENT 'platform/id; empty where nobody asked',
    platform LowCardinality(String),
    channel String,
    role String COMMENT 'roles of the access rules, with spaces between them',
    run String,
    step LowCardinality(String),
    source LowCardinality(String) COMMENT 'the data source of a query',
    subject LowCardinality(String) COMMENT 'the model, button, job or token',
    outcome LowCardinality(String),
    sql_sha256 String COMMENT 'of the text of the query, as hexadecimal digits',
    rows UInt64 COMMENT 'rows of the result',
    bytes UInt64 COMMENT 'bytes that the query read',
    duration_ms UInt64,
    tokens_in UInt64,
    tokens_out UInt64,
    cost Nullable(Float64) COMMENT 'US dollars; NULL where no price is known'
)
ENGINE = MergeTree ORDER BY (at, id)
-- Parts that a deletion or merge has replaced are removed from the disk soon, and so are the texts of deletions.
SETTINGS old_parts_lifetime = 5, finished_mutations_to_keep = 1
COMMENT 'what was done, when and for whom';
