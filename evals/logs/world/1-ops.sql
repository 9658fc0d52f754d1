-- A week of a web service: requests, spans of traces, logs, gauges and counters of hosts, deployments; 5 to 11 October 2026.
-- Every value comes from a hash of its row, so the rows are the same on every machine.

CREATE DATABASE ops COMMENT 'Telemetry of a web service, one week: Monday 5 to Sunday 11 October 2026, UTC';

CREATE TABLE ops.deployments
(
    service LowCardinality(String),
    version String,
    deployed_at DateTime('UTC'),
    rolled_back_at Nullable(DateTime('UTC')) COMMENT 'Then the version before it is running again'
)
ENGINE = MergeTree ORDER BY (service, deployed_at);

INSERT INTO ops.deployments VALUES
    ('gateway', '5.0.0', '2026-09-20 09:00:00', NULL), ('gateway', '5.1.0', '2026-10-06 10:00:00', NULL), ('gateway', '5.1.1', '2026-10-09 16:30:00', NULL),
    ('checkout', '2.2.0', '2026-09-28 08:00:00', NULL), ('checkout', '2.3.0', '2026-10-08 14:00:00', '2026-10-08 15:30:00'), ('checkout', '2.3.1', '2026-10-09 09:00:00', NULL),
    ('catalog', '7.4.0', '2026-09-15 12:00:00', NULL), ('catalog', '7.5.0', '2026-10-07 11:00:00', NULL),
    ('payments', '1.9.2', '2026-09-02 07:00:00', NULL), ('search', '3.0.0', '2026-10-05 06:00:00', '2026-10-05 06:20:00'), ('search', '3.0.1', '2026-10-10 13:00:00', NULL);

CREATE TABLE ops.services
(
    name LowCardinality(String),
    team String,
    tier UInt8 COMMENT '1 is the most critical',
    latency_target_ms UInt32 COMMENT 'What 95 % of its requests must not exceed',
    availability_target Float64 COMMENT 'Share of requests without a server error (5xx), 0 to 1'
)
ENGINE = MergeTree ORDER BY name;

INSERT INTO ops.services VALUES ('gateway', 'edge', 1, 400, 0.995), ('checkout', 'money', 1, 600, 0.99), ('catalog', 'shop', 2, 300, 0.99), ('payments', 'money', 1, 800, 0.999),
    ('search', 'shop', 2, 350, 0.98), ('mailer', 'growth', 3, 2000, 0.95);

CREATE TABLE ops.requests
(
    ts DateTime64(3, 'UTC'),
    service LowCardinality(String),
    host LowCardinality(String),
    method LowCardinality(String),
    path String,
    status UInt16 COMMENT 'HTTP status',
    latency_ms Float32,
    bytes UInt32 COMMENT 'Of the response',
    client IPv4,
    headers Map(LowCardinality(String), String) COMMENT 'Some request headers in lower case; user-agent always, x-plan and x-beta where the client sent them'
)
ENGINE = MergeTree ORDER BY (service, ts);

INSERT INTO ops.requests
SELECT
    toDateTime64('2026-10-05 00:00:00.000', 3, 'UTC') + toIntervalMillisecond(number * 10080 + cityHash64('jitter', number) % 9000) AS ts,
    ['gateway', 'gateway', 'gateway', 'catalog', 'catalog', 'search', 'checkout', 'checkout', 'payments', 'payments'][1 + cityHash64('service', number) % 10] AS service,
    concat(['web', 'app'][1 + (service != 'gateway')], '-', leftPad(toString(1 + cityHash64('host', number) % 8), 2, '0')) AS host,
    if(service IN ('checkout', 'payments') AND cityHash64('method', number) % 3 > 0, 'POST', 'GET') AS method,
    multiIf(service = 'catalog', concat('/items/', toString(1 + cityHash64('item', number) % 300)), service = 'search', concat('/search?q=', ['lamp', 'chair', 'rug', 'desk', 'vase'][1 + cityHash64('q', number) % 5]),
        service = 'checkout', ['/cart', '/cart', '/order', '/order/confirm'][1 + cityHash64('p', number) % 4], service = 'payments', ['/charge', '/charge', '/refund', '/health'][1 + cityHash64('p', number) % 4],
        ['/', '/login', '/items', '/health'][1 + cityHash64('p', number) % 4]) AS path,
    multiIf(
        service = 'checkout' AND ts >= '2026-10-08 14:00:00' AND ts < '2026-10-08 15:30:00' AND cityHash64('broken', number) % 100 < 38, [500, 502, 503][1 + cityHash64('which', number) % 3],
        service = 'search' AND ts >= '2026-10-10 13:00:00' AND cityHash64('worse', number) % 100 < 4, 504,
        cityHash64('fail', number) % 1000 < 4, 500,
        cityHash64('client', number) % 100 < 3, [400, 401, 404, 429][1 + cityHash64('which', number) % 4],
        path = '/login' AND cityHash64('redirect', number) % 2 = 0, 302, 200) AS status,
    round((20 + 25 * exp(abs(randomised) / 1.6)) * multiIf(service = 'payments', 5, service = 'search', if(ts >= '2026-10-10 13:00:00', 3.4, 2), service = 'checkout', 3, 1), 2) AS latency_ms,
    toUInt32(200 + cityHash64('bytes', number) % 40000) AS bytes,
    toIPv4(concat('10.', toString(cityHash64('ip', number) % 3), '.', toString(cityHash64('ip2', number) % 40), '.', toString(cityHash64('ip3', number) % 5))) AS client,
    mapFromArrays(
        arrayFilter(name -> name = 'user-agent' OR (name = 'x-plan' AND cityHash64('plan', number) % 3 > 0) OR (name = 'x-beta' AND cityHash64('beta', number) % 10 = 0), ['user-agent', 'x-plan', 'x-beta']),
        arrayMap(name -> multiIf(name = 'user-agent', ['firefox', 'chrome', 'chrome', 'safari', 'curl'][1 + cityHash64('agent', number) % 5], name = 'x-plan', ['free', 'free', 'pro'][1 + cityHash64('which plan', number) % 3], '1'),
            arrayFilter(name -> name = 'user-agent' OR (name = 'x-plan' AND cityHash64('plan', number) % 3 > 0) OR (name = 'x-beta' AND cityHash64('beta', number) % 10 = 0), ['user-agent', 'x-plan', 'x-beta']))) AS headers
FROM (SELECT number, (cityHash64('a', number) % 10000 + cityHash64('b', number) % 10000 + cityHash64('c', number) % 10000 - 15000) / 3000 AS randomised FROM numbers(59900));

CREATE TABLE ops.spans
(
    trace_id String,
    span_id UInt64,
    parent_id UInt64 COMMENT '0 for the root of a trace',
    service LowCardinality(String),
    operation LowCardinality(String),
    started_at DateTime64(6, 'UTC'),
    duration_us UInt64 COMMENT 'Microseconds',
    is_error Bool,
    attributes Map(String, String) COMMENT 'e.g. db.statement, http.status, retry (number of the attempt, where there was more than one)',
    events Nested(name LowCardinality(String), offset_us UInt64) COMMENT 'What happened within the span, in order; offsets from its start'
)
ENGINE = MergeTree ORDER BY (trace_id, started_at)
COMMENT 'Sampled traces. A child lies within its parent; what a span did itself is its duration less that of its direct children, which never overlap';

INSERT INTO ops.spans
SELECT
    lower(hex(cityHash64('trace', trace))) AS trace_id,
    trace * 10 + step AS span_id,
    if(step = 1, 0, trace * 10 + [0, 1, 1, 3, 3][step]) AS parent_id,
    ['gateway', 'catalog', 'checkout', 'payments', 'mailer'][step] AS service,
    ['GET /', 'load items', 'place order', 'charge', 'send receipt'][step] AS operation,
    toDateTime64('2026-10-05 00:00:00.000000', 6, 'UTC') + toIntervalMicrosecond(trace * 151000000 + [0, 1000, 40000, 42000, 90000 + slow][step] + cityHash64('offset', trace) % 900) AS started_at,
    [200000 + slow + cityHash64('g', trace) % 90000, 20000 + cityHash64('c', trace) % 15000, 100000 + slow + cityHash64('o', trace) % 40000, 30000 + slow, 5000 + cityHash64('m', trace) % 4000][step] AS duration_us,
    (step = 4 AND cityHash64('declined', trace) % 25 = 0) OR (step IN (1, 3) AND cityHash64('declined', trace) % 25 = 0 AND cityHash64('passed on', trace) % 2 = 0) AS is_error,
    mapFromArrays(arrayConcat(['http.status'], if(step = 2, ['db.statement', 'db.rows'], []), if(step = 4 AND retries > 0, ['retry'], [])),
        arrayConcat([if(is_error, '500', '200')], if(step = 2, ['SELECT items', toString(cityHash64('rows', trace) % 500)], []), if(step = 4 AND retries > 0, [toString(retries + 1)], []))) AS attributes,
    if(step = 4, arrayMap(i -> if(i <= retries, 'retry', 'done'), range(1, 2 + retries)), if(step = 2 AND cityHash64('miss', trace) % 4 = 0, ['cache miss'], [])) AS `events.name`,
    if(step = 4, arrayMap(i -> toUInt64(8000 * i), range(1, 2 + retries)), if(step = 2 AND cityHash64('miss', trace) % 4 = 0, [toUInt64(1500)], [])) AS `events.offset_us`
FROM (SELECT number AS trace, if(cityHash64('slow', number) % 30 = 0, 400000, 0) AS slow, if(cityHash64('retried', number) % 12 = 0, 1 + cityHash64('times', number) % 2, 0) AS retries FROM numbers(4000))
ARRAY JOIN if(cityHash64('short', trace) % 3 = 0, [1, 2], [1, 2, 3, 4, 5]) AS step;

CREATE TABLE ops.logs
(
    ts DateTime64(3, 'UTC'),
    service LowCardinality(String),
    host LowCardinality(String),
    level Enum8('debug' = 1, 'info' = 2, 'warn' = 3, 'error' = 4),
    message String,
    trace_id String COMMENT 'Empty where the line belongs to no trace',
    fields Map(String, String),
    tags Array(LowCardinality(String))
)
ENGINE = MergeTree ORDER BY (service, ts);

INSERT INTO ops.logs
SELECT
    toDateTime64('2026-10-05 00:00:00.000', 3, 'UTC') + toIntervalMillisecond(number * 15100 + cityHash64('log', number) % 15000) AS ts,
    ['gateway', 'catalog', 'checkout', 'payments', 'search', 'mailer'][1 + cityHash64('log service', number) % 6] AS service,
    concat('app-', leftPad(toString(1 + cityHash64('log host', number) % 8), 2, '0')) AS host,
    multiIf(service = 'checkout' AND ts >= '2026-10-08 14:00:00' AND ts < '2026-10-08 15:30:00', 'error', cityHash64('level', number) % 100 < 3, 'error', cityHash64('level', number) % 100 < 12, 'warn', cityHash64('level', number) % 100 < 70, 'info', 'debug') AS level,
    multiIf(level = 'error', concat(['connection refused by db-', 'timeout after 3000 ms waiting for db-', 'cannot parse response of db-'][1 + cityHash64('message', number) % 3], toString(1 + cityHash64('db', number) % 4)),
        level = 'warn', concat('retry ', toString(1 + cityHash64('retry', number) % 3), ' of 3'), 'done') AS message,
    if(cityHash64('traced', number) % 3 = 0, lower(hex(cityHash64('trace', cityHash64('which trace', number) % 4000))), '') AS trace_id,
    if(level = 'info', map('user_id', toString(1 + cityHash64('user', number) % 700), 'took_ms', toString(cityHash64('took', number) % 900)), if(level = 'error', map('attempt', toString(1 + cityHash64('attempt', number) % 3)), map())) AS fields,
    arrayFilter(tag -> cityHash64(tag, number) % 4 = 0, ['eu', 'canary', 'batch', 'nightly']) AS tags
FROM numbers(40000);

CREATE TABLE ops.host_metrics
(
    host LowCardinality(String),
    ts DateTime('UTC'),
    metric LowCardinality(String) COMMENT 'cpu_percent and memory_percent are gauges; requests_total is a counter, which starts again from 0 when the host restarts',
    value Float64
)
ENGINE = MergeTree ORDER BY (metric, host, ts)
COMMENT 'Every ten minutes';

INSERT INTO ops.host_metrics
SELECT host, ts, metric, value
FROM
(
    SELECT
        concat(['web', 'app'][1 + intDiv(h, 8)], '-', leftPad(toString(1 + h % 8), 2, '0')) AS host,
        toDateTime('2026-10-05 00:00:00', 'UTC') + tick * 600 AS ts,
        m AS metric,
        if(h = 2 AND tick >= 400, tick - 400, tick) + 0 AS since,
        multiIf(m = 'cpu_percent', least(100, round(22 + 14 * sin(tick / 23 + h) + cityHash64('cpu', h, tick) % 1500 / 100 + if(h = 11 AND tick BETWEEN 600 AND 640, 55, 0), 1)),
            m = 'memory_percent', round(40 + h * 2 + if(h = 5, tick * 0.04, 0) + cityHash64('mem', h, tick) % 300 / 100, 1),
            toFloat64(since * (900 + h * 10) + cityHash64('n', h) % 500)) AS value
    FROM (SELECT number AS tick FROM numbers(1008)) AS ticks
    ARRAY JOIN range(0, 16) AS h
    ARRAY JOIN ['cpu_percent', 'memory_percent', 'requests_total'] AS m
)
WHERE NOT (host = 'app-06' AND ts >= '2026-10-09 03:00:00' AND ts < '2026-10-09 05:00:00') AND NOT (host = 'web-04' AND ts >= '2026-10-07 12:00:00' AND ts < '2026-10-07 12:40:00');
