-- The state of pipelines. Each row is a version of what its key names; the latest `revision` counts (read with FINAL).

CREATE TABLE IF NOT EXISTS registered_jobs
(
    name LowCardinality(String) COMMENT 'unique; with a version',
    version UInt32,
    definition String COMMENT 'JSON, as src/pipelines/jobs/definition.ts has it',
    registered_at DateTime64(3, 'UTC'),
    revision UInt64
)
ENGINE = ReplacingMergeTree(revision) ORDER BY (name, version)
COMMENT 'job definitions, every version of them';

CREATE TABLE IF NOT EXISTS jobs
(
    id String,
    name LowCardinality(String),
    version UInt32,
    status LowCardinality(String) COMMENT 'PENDING, RUNNING, COMPLETED, FAILED or CANCELLED',
    arguments String COMMENT 'JSON',
    preservation LowCardinality(String) COMMENT 'NONE or FULL',
    replay_of String COMMENT 'the job that this one repeats without publishing; empty for others',
    reason String COMMENT 'why it was repeated',
    error String,
    created_at DateTime64(3, 'UTC'),
    started_at Nullable(DateTime64(3, 'UTC')),
    finished_at Nullable(DateTime64(3, 'UTC')),
    seen_at DateTime64(3, 'UTC') COMMENT 'when its runner last said that it is alive',
    expires_at Nullable(DateTime64(3, 'UTC')) COMMENT 'when its tables are dropped; NULL: with its end',
    revision UInt64
)
ENGINE = ReplacingMergeTree(revision) ORDER BY id
COMMENT 'every run of a job';

CREATE TABLE IF NOT EXISTS tasks
(
    job_id String,
    name LowCardinality(String) COMMENT 'input:<name>, operation:<name> or publish',
    status LowCardinality(String) COMMENT 'RUNNING, COMPLETED, FAILED or CANCELLED',
    attempts UInt32,
    error String,
    rows Nullable(UInt64),
    started_at DateTime64(3, 'UTC'),
    finished_at Nullable(DateTime64(3, 'UTC')),
    revision UInt64
)
ENGINE = ReplacingMergeTree(revision) ORDER BY (job_id, name)
COMMENT 'the steps of a job';

CREATE TABLE IF NOT EXISTS job_cancellations
(
    job_id String,
    requested_at DateTime64(3, 'UTC')
)
ENGINE = MergeTree ORDER BY job_id
COMMENT 'jobs that somebody wants ended';

-- A contract (docs/operation-log.md): any runner may write it, and `/lineage` reads nothing else of a job.
CREATE TABLE IF NOT EXISTS operation_log
(
    job_id String,
    task_id String,
    operation_id String COMMENT 'unique; Clew writes <job_id>/<kind>:<name>',
    kind LowCardinality(String) COMMENT 'input, operation or target',
    operation LowCardinality(String) COMMENT 'its readable name',
    result_database LowCardinality(String),
    result_table String,
    inputs Array(Tuple(role String, database String, name String)) COMMENT 'tables read, by the role that each plays',
    template String,
    sql String COMMENT 'what ran',
    started_at DateTime64(3, 'UTC'),
    finished_at DateTime64(3, 'UTC'),
    rows UInt64,
    bytes UInt64,
    error String COMMENT 'empty where it succeeded',
    revision UInt64
)
ENGINE = ReplacingMergeTree(revision) ORDER BY (job_id, operation_id)
COMMENT 'what each operation of a job read and wrote';
