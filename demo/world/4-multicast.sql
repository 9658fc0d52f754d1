CREATE TABLE multicast_groups
(
    code LowCardinality(String),
    multicast_ip String,
    status LowCardinality(String),
    max_bandwidth_bps UInt64 COMMENT 'Ceiling of what is published into the group, in bits per second',
    created_at DateTime('UTC')
)
ENGINE = MergeTree ORDER BY code;

INSERT INTO multicast_groups
SELECT code, ip, status, megabits * 1000000, {anchor:DateTime('UTC')} - toIntervalDay(days) - toIntervalHour(9)
FROM values('code String, ip String, status String, megabits UInt64, days UInt16',
    ('blocks-east', '233.252.0.1', 'activated', 1000, 190), ('blocks-west', '233.252.0.2', 'activated', 1000, 184),
    ('market-data', '233.252.0.3', 'activated', 500, 96), ('oracle-prices', '233.252.0.4', 'activated', 200, 61),
    ('beta-shreds', '233.252.0.5', 'pending', 100, 5));

CREATE TABLE multicast_subscriptions
(
    group_code LowCardinality(String) COMMENT 'multicast_groups.code',
    user_pubkey String COMMENT 'dz_users.pubkey of a multicast account',
    role LowCardinality(String) COMMENT 'publisher or subscriber',
    started_at DateTime('UTC'),
    ended_at Nullable(DateTime('UTC')) COMMENT 'NULL while it lasts'
)
ENGINE = MergeTree ORDER BY (group_code, user_pubkey)
COMMENT 'Who publishes into and who receives each multicast group';

-- Account 17 receives two groups and leads only by their sum; account 29 has the highest rate of a single group; account 3 only publishes.
INSERT INTO multicast_subscriptions
WITH cityHash64({seed:UInt32}, 'subscription', node, group_number) AS h
SELECT
    arrayElement(['blocks-east', 'blocks-west', 'market-data', 'oracle-prices'], group_number),
    dz_users.pubkey,
    if(node = 3, 'publisher', 'subscriber'),
    dz_users.created_at + 1800,
    if(scratch_users.changes[-1].status = 'deleted', toDateTime(dz_users.updated_at, 'UTC'), NULL)
FROM scratch_users
ARRAY JOIN [1, 2, 3, 4] AS group_number
INNER JOIN dz_users ON dz_users.pubkey = base58Encode(SHA256(concat('user', toString({seed:UInt32}), '/', toString(user))))
WHERE scratch_users.user_type = 'multicast'
  AND multiIf(node = 17, group_number IN (1, 2), node IN (3, 29), group_number = 1, h % 100 < 35 OR group_number = 1 + node % 4);

CREATE TABLE fact_multicast_traffic
(
    measured_at DateTime('UTC') COMMENT 'Start of the interval',
    interval_seconds UInt16,
    group_code LowCardinality(String) COMMENT 'multicast_groups.code',
    user_pubkey LowCardinality(String) COMMENT 'dz_users.pubkey',
    bytes_to_subscriber UInt64 COMMENT 'Bytes delivered to the account in the interval: what it consumed',
    bytes_from_publisher UInt64 COMMENT 'Bytes that the account sent into the group in the interval'
)
ENGINE = MergeTree PARTITION BY toYYYYMM(measured_at) ORDER BY (user_pubkey, group_code, measured_at)
COMMENT 'Multicast traffic by account and group, every five minutes for two days; a rate is bytes * 8 / seconds, added over the groups of an account';

INSERT INTO fact_multicast_traffic
WITH
    cityHash64({seed:UInt32}, 'rate', user_pubkey, group_code) AS h,
    -- Kilobits per second
    multiIf(
        role = 'publisher', 880000 + h % 60000,
        group_code = 'blocks-east' AND node = 29, 600000 + h % 40000,
        node = 17, 440000 + h % 30000,
        15000 + h % 90000) AS kilobits,
    -- The noise repeats each hour, so that a mean over a day hardly depends on where the day begins.
    kilobits * 125 * 300 * (990 + cityHash64({seed:UInt32}, 'traffic', user_pubkey, group_code, step % 12) % 21) / 1000 AS bytes
SELECT
    {anchor:DateTime('UTC')} - toIntervalSecond(300 * step) AS time,
    300,
    group_code,
    user_pubkey,
    if(role = 'subscriber', toUInt64(bytes), 0),
    if(role = 'publisher', toUInt64(bytes), 0)
FROM
(
    SELECT group_code, user_pubkey, role, started_at, ended_at, ifNull(node, 0) AS node
    FROM multicast_subscriptions
    INNER JOIN scratch_users ON user_pubkey = base58Encode(SHA256(concat('user', toString({seed:UInt32}), '/', toString(user))))
)
ARRAY JOIN range(1, 577) AS step
WHERE time >= started_at AND (ended_at IS NULL OR time < ended_at);
