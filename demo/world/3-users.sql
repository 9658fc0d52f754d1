-- Users (tunnels into the network) and their history. Each user is a list of changes of status; the current state is the last of them.

CREATE TABLE scratch_users
(
    user UInt32, node Nullable(UInt32), user_type LowCardinality(String), dz_ip Nullable(String),
    -- (age in seconds before the anchor, status after the change)
    changes Array(Tuple(age Int64, status String))
)
ENGINE = MergeTree ORDER BY user;

-- Ages keep clear of the two hours after each whole number of days before the anchor, so that windows of whole days hold the same events
-- until 110 minutes after it.
INSERT INTO scratch_users
WITH
    cityHash64({seed:UInt32}, 'user', node) AS h,
    toInt64(6 + h % 380) AS days,
    toInt64(days * 86400 + 7200 + h % 64800) AS created,
    [(created, 'pending'), (created - 240 - toInt64(h % 500), 'activated')] AS joined
SELECT
    node,
    node,
    'unicast',
    ip,
    multiIf(
        story = 'joined_22_to_24_hours_ago', [(79200 + 300 + toInt64(h % 240), 'pending'), (79200 + 40 + toInt64(h % 200), 'activated')],
        story = 'joined_today', [(toInt64(7200 + h % 57600), 'pending'), (toInt64(6600 + h % 57600), 'activated')],
        story = 'left_today', arrayPushBack(joined, (toInt64(5400 + h % 64800), user_status)),
        story = 'left_and_back', arrayConcat(joined, [(toInt64(46800 + h % 1800), 'suspended'), (toInt64(36000 + h % 1800), 'activated')]),
        story = 'left_and_back_with_new_account', arrayPushBack(joined, (toInt64(68400 + h % 1800), 'deleted')),
        story = 'left_before_yesterday', arrayPushBack(joined, (if(node = 88, 194400, 108000) + toInt64(h % 1800), user_status)),
        user_status != 'activated', arrayPushBack(joined, (toInt64((3 + h % (days - 4)) * 86400 + 7200 + intDiv(h, 17) % 64800), user_status)),
        story = '' AND days > 20 AND intDiv(h, 19) % 7 = 0,
            arrayConcat(joined, [(toInt64((4 + h % (days - 8)) * 86400 + 64800), 'suspended'), (toInt64((4 + h % (days - 8)) * 86400 + 50400 + h % 9000), 'activated')]),
        joined)
FROM scratch_nodes
WHERE has_user;

-- The validator that came back with another account on the same address.
INSERT INTO scratch_users
SELECT 2000, node, 'unicast', ip, [(toInt64(57900), 'pending'), (toInt64(57600), 'activated')]
FROM scratch_nodes
WHERE story = 'left_and_back_with_new_account';

-- Multicast accounts of connected validators: a second account on the same address.
INSERT INTO scratch_users
WITH
    cityHash64({seed:UInt32}, 'multicast', node) AS h,
    toInt64((5 + h % 60) * 86400 + 7200 + h % 64800) AS created,
    [(created, 'pending'), (created - 300, 'activated')] AS joined
SELECT
    3000 + node,
    node,
    'multicast',
    ip,
    if(story = 'lost_only_multicast', arrayPushBack(joined, (25200 + toInt64(h % 1800), 'deleted')), joined)
FROM scratch_nodes
WHERE is_validator AND (node IN (3, 17, 29, 47) OR (user_status = 'activated' AND story = '' AND h % 5 = 0));

-- Accounts whose address no node gossips from, accounts that are not yet connected, and refused ones.
INSERT INTO scratch_users
WITH
    cityHash64({seed:UInt32}, 'other', number) AS h,
    toInt64((3 + h % 200) * 86400 + 7200 + h % 64800) AS created
SELECT
    5000 + number,
    NULL,
    'unicast',
    if(number < 25, concat('198.18.200.', toString(1 + number)), NULL),
    multiIf(
        number < 25, [(created, 'pending'), (created - 300, 'activated')],
        number < 31, [(created, 'pending'), (created - 3600, 'rejected')],
        [(toInt64((1 + h % 20) * 86400 + 7200 + h % 64800), 'pending')])
FROM numbers(45 + cityHash64({seed:UInt32}, 'pending users') % 9);

CREATE TABLE dz_users
(
    pubkey String COMMENT 'Account of the user',
    user_type LowCardinality(String) COMMENT 'unicast or multicast; a validator may have one account of each on the same address',
    status LowCardinality(String) COMMENT 'pending, activated, suspended, deleted or rejected; only activated users are connected',
    device_code LowCardinality(String) COMMENT 'dz_devices.code on which the tunnel ends',
    client_ip String,
    dz_ip Nullable(String) COMMENT 'Address on the network; equals gossip_nodes.gossip_ip of the node behind it. NULL until one is assigned',
    tunnel_id UInt16,
    created_at DateTime('UTC'),
    updated_at DateTime64(3, 'UTC') COMMENT 'Last change of status'
)
ENGINE = MergeTree ORDER BY pubkey
COMMENT 'Accounts that tunnel into the network, current state';

INSERT INTO dz_users
WITH
    (SELECT groupArray(code) FROM (SELECT code FROM dz_devices WHERE status = 'activated' ORDER BY code)) AS devices,
    -- Both accounts of an address end on the same device; the lesser of two draws makes some devices busier than others.
    ifNull(node, user) AS place
SELECT
    base58Encode(SHA256(concat('user', toString({seed:UInt32}), '/', toString(user)))),
    user_type,
    changes[-1].status,
    devices[1 + least(cityHash64({seed:UInt32}, 'device', place) % length(devices), cityHash64({seed:UInt32}, 'device too', place) % length(devices))],
    concat('198.19.', toString(100 + intDiv(place, 250)), '.', toString(1 + place % 250)),
    dz_ip,
    500 + user % 3000,
    {anchor:DateTime('UTC')} - toIntervalSecond(changes[1].age),
    toDateTime64({anchor:DateTime('UTC')}, 3, 'UTC') - toIntervalMillisecond(changes[-1].age * 1000 - cityHash64({seed:UInt32}, 'ms', user) % 1000)
FROM scratch_users;

CREATE TABLE dz_users_history
(
    user_pubkey String COMMENT 'dz_users.pubkey',
    changed_at DateTime64(3, 'UTC'),
    old_status LowCardinality(Nullable(String)) COMMENT 'NULL for the row that records the creation',
    new_status LowCardinality(String) COMMENT 'A change to activated is a connection, the first or a return; a change from activated is a disconnection',
    user_type LowCardinality(String),
    device_code LowCardinality(String),
    dz_ip Nullable(String)
)
ENGINE = MergeTree ORDER BY (user_pubkey, changed_at)
COMMENT 'Every change of a user''s status';

INSERT INTO dz_users_history
SELECT
    pubkey,
    toDateTime64({anchor:DateTime('UTC')}, 3, 'UTC') - toIntervalMillisecond(change.age * 1000 - cityHash64({seed:UInt32}, 'ms', user) % 1000),
    if(position = 1, NULL, changes[position - 1].status),
    change.status,
    dz_users.user_type,
    device_code,
    dz_users.dz_ip
FROM scratch_users
ARRAY JOIN changes AS change, arrayEnumerate(changes) AS position
INNER JOIN dz_users ON dz_users.pubkey = base58Encode(SHA256(concat('user', toString({seed:UInt32}), '/', toString(user))));

CREATE TABLE vote_lag
(
    measured_at DateTime('UTC') COMMENT 'Start of the hour',
    vote_pubkey String COMMENT 'vote_accounts.vote_pubkey',
    lag_slots Nullable(UInt16) COMMENT 'How many slots behind the tip the account voted, in the median of the hour; NULL for an hour without votes'
)
ENGINE = MergeTree PARTITION BY toYYYYMM(measured_at) ORDER BY (vote_pubkey, measured_at)
COMMENT 'How promptly each validator votes, by hour, for the last three days; lower is better';

INSERT INTO vote_lag
WITH cityHash64({seed:UInt32}, 'lag', node, hours_ago) AS h
SELECT
    {anchor:DateTime('UTC')} - toIntervalHour(hours_ago),
    vote_pubkey,
    multiIf(is_delinquent, NULL, user_status = 'activated', 1 + toUInt8(h % 100 < 14), 1 + toUInt8(h % 100 < 70) + toUInt8(h % 100 < 25))
FROM
(
    SELECT node, vote_pubkey, user_status, is_delinquent
    FROM scratch_nodes
    INNER JOIN vote_accounts USING (vote_pubkey)
)
ARRAY JOIN range(1, 73) AS hours_ago;
