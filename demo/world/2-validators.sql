-- The validators of the chain and the nodes in its gossip. scratch_nodes holds what the later files need to know of each node;
-- tables named scratch_… are dropped before the world is shown.
--
-- Nodes 0–899 are validators in order of stake, 900–1349 gossip without voting, 1350–1409 have left. `story` marks the planted ones.

CREATE TABLE scratch_nodes
(
    node UInt32, is_validator Bool, in_gossip Bool, has_user Bool, story LowCardinality(String),
    pubkey String, vote_pubkey String, ip String, user_status LowCardinality(String)
)
ENGINE = MergeTree ORDER BY node;

INSERT INTO scratch_nodes
WITH
    cityHash64({seed:UInt32}, 'node', number) AS h,
    -- How many of the optional members a story has depends on the seed, so that counts differ between seeds.
    cityHash64({seed:UInt32}, 'stories') AS s
SELECT
    number,
    number < 900,
    number < 1350 AND (number % 60 != 59 OR number >= 900) AS in_gossip,
    in_gossip AND number % 97 != 96 AND (story != '' OR h % 100 < if(number < 900, 30, 18)) AS has_user,
    multiIf(
        number IN (12, 57, 133, 208) OR (number = 301 AND s % 2 = 0) OR (number = 420 AND s % 5 < 3), 'joined_22_to_24_hours_ago',
        number IN (22, 95, 340, 905) OR (number = 511 AND s % 7 < 4), 'joined_today',
        number IN (9, 74, 155, 911) OR (number = 266 AND s % 11 < 6) OR (number = 389 AND s % 13 < 6), 'left_today',
        number = 31, 'left_and_back',
        number = 118, 'left_and_back_with_new_account',
        number = 47, 'lost_only_multicast',
        number IN (88, 99), 'left_before_yesterday',
        number IN (1, 3, 4, 6, 17, 29), 'stays',
        '') AS story,
    base58Encode(SHA256(concat('node', toString({seed:UInt32}), '/', toString(number)))),
    if(number < 900, base58Encode(SHA256(concat('vote', toString({seed:UInt32}), '/', toString(number)))), ''),
    concat(if(has_user, '198.18.', '198.19.'), toString(intDiv(number, 250)), '.', toString(1 + number % 250)),
    multiIf(
        NOT has_user, '',
        story = 'left_today' AND number != 74, 'deleted',
        story = 'left_before_yesterday' OR number = 74, 'suspended',
        story != '' OR intDiv(h, 100) % 100 < 86, 'activated',
        intDiv(h, 100) % 100 < 95, 'deleted',
        'suspended')
FROM numbers(1410);

CREATE TABLE vote_accounts
(
    vote_pubkey String,
    node_pubkey String COMMENT 'Identity of the validator; gossip_nodes.pubkey',
    validator_name Nullable(String) COMMENT 'What the operator calls itself; NULL where it published no name',
    activated_stake_lamports UInt64 COMMENT 'Stake in lamports; 1 SOL = 1,000,000,000 lamports',
    commission_percent UInt8,
    is_delinquent Bool COMMENT 'True when it has stopped voting',
    last_vote_slot UInt64,
    epoch UInt16
)
ENGINE = MergeTree ORDER BY vote_pubkey
COMMENT 'Validators of the chain, on the network or not: one row per vote account, current epoch';

CREATE TABLE stake_history
(
    snapshot_at DateTime('UTC'),
    epoch UInt16 COMMENT 'Stake changes only from one epoch to the next; an epoch lasts two days',
    vote_pubkey String COMMENT 'vote_accounts.vote_pubkey',
    activated_stake_lamports UInt64 COMMENT 'Stake in lamports; 1 SOL = 1,000,000,000 lamports'
)
ENGINE = MergeTree PARTITION BY toYYYYMM(snapshot_at) ORDER BY (vote_pubkey, snapshot_at)
COMMENT 'Stake of every vote account, one snapshot a day for 31 days; a stake share is an account''s stake over the sum of its snapshot';

-- Validator 4 keeps its stake to the lamport, validator 6 loses 40 %, validator 1 gains 24 million SOL: its gain is what shrinks the share of 4.
INSERT INTO stake_history
WITH
    intDiv(days_ago + 1, 2) AS epochs_ago,
    intDiv(60000000, node + 4) * (95000 + cityHash64({seed:UInt32}, 'stake', node) % 10001) AS hundred_thousandths,
    multiIf(
        node = 4, 1000000,
        node = 6, if(epochs_ago <= 2, 600000, 1000000),
        998000 + cityHash64({seed:UInt32}, 'drift', node, epochs_ago) % 4001) AS millionths
SELECT
    {anchor:DateTime('UTC')} - toIntervalSecond(days_ago * 86400 + 600),
    900 - epochs_ago,
    vote_pubkey,
    if(node % 97 = 96, 0,
        intDiv(hundred_thousandths * millionths, 100) + cityHash64({seed:UInt32}, 'lamports', node) % 1000000000
        + if(node = 1 AND epochs_ago <= 1, 24000000000000000, 0))
FROM scratch_nodes
ARRAY JOIN range(31) AS days_ago
WHERE is_validator;

INSERT INTO vote_accounts
WITH
    ['Amber', 'Basalt', 'Cinder', 'Copper', 'Coral', 'Crimson', 'Dapple', 'Ember', 'Fallow', 'Flint', 'Frost', 'Gilded', 'Granite', 'Hazel',
     'Indigo', 'Ivory', 'Jasper', 'Juniper', 'Kestrel', 'Lantern', 'Larch', 'Linden', 'Marble', 'Meadow', 'Mossy', 'Northern', 'Ochre', 'Onyx',
     'Opal', 'Pebble', 'Pewter', 'Quartz', 'Russet', 'Sable', 'Slate', 'Sorrel', 'Tawny', 'Umber', 'Velvet', 'Willow'] AS first_words,
    ['Anchor', 'Arbor', 'Bastion', 'Beacon', 'Bridge', 'Cairn', 'Compass', 'Crest', 'Delta', 'Forge', 'Garden', 'Gate', 'Harbor', 'Haven',
     'Lodge', 'Mill', 'Orchard', 'Pier', 'Quarry', 'Ridge', 'Spire', 'Summit', 'Vault', 'Works'] AS second_words,
    (node * 377 + 11) % 960 AS name,
    cityHash64({seed:UInt32}, 'account', node) AS h,
    NOT has_user AND h % 60 = 0 AS delinquent
SELECT
    vote_pubkey,
    pubkey,
    if(story = '' AND h % 5 = 0, NULL, concat(first_words[1 + name % 40], ' ', second_words[1 + intDiv(name, 40)])),
    activated_stake_lamports,
    arrayElement([0, 5, 5, 7, 8, 10, 10, 100], 1 + intDiv(h, 60) % 8),
    delinquent,
    388800000 - if(delinquent, 40000 + h % 90000, h % 6),
    epoch
FROM scratch_nodes
INNER JOIN (SELECT * FROM stake_history ORDER BY snapshot_at DESC LIMIT 1 BY vote_pubkey) AS latest USING (vote_pubkey)
WHERE is_validator;

CREATE TABLE gossip_nodes_history
(
    pubkey String,
    changed_at DateTime64(3, 'UTC'),
    change LowCardinality(String) COMMENT 'joined, upgraded or left',
    gossip_ip String,
    version LowCardinality(String) COMMENT 'Software version after the change'
)
ENGINE = MergeTree ORDER BY (pubkey, changed_at);

INSERT INTO gossip_nodes_history
SELECT
    pubkey,
    toDateTime64({anchor:DateTime('UTC')}, 3, 'UTC') - toIntervalMillisecond(change.1 * 1000 - h % 1000),
    change.2,
    ip,
    change.3
FROM
(
    SELECT
        pubkey, ip,
        cityHash64({seed:UInt32}, 'gossip', node) AS h,
        arrayElement(['3.0.9', '3.0.11', '3.0.11', '3.1.0'], 1 + h % 4) AS first_version,
        arrayConcat(
            [(toInt64((40 + h % 300) * 86400 + 3600 + h % 72000), 'joined', first_version)],
            if(node < 1350 AND intDiv(h, 7) % 5 < 3, [(toInt64((2 + intDiv(h, 11) % 20) * 86400 + 3600 + h % 72000), 'upgraded', '3.1.2')], []),
            if(node >= 1350, [(toInt64(intDiv(node - 1350, 3) % 20 * 86400 + 3600 + h % 72000), 'left', first_version)], [])
        ) AS changes
    FROM scratch_nodes
    WHERE in_gossip OR node >= 1350
)
ARRAY JOIN changes AS change;

CREATE TABLE gossip_nodes
(
    pubkey String COMMENT 'Identity of the node; a validator when vote_accounts.node_pubkey has it',
    gossip_ip String COMMENT 'Equals dz_users.dz_ip when the node is on the network',
    gossip_port UInt16,
    version LowCardinality(String),
    country LowCardinality(Nullable(String)) COMMENT 'By address lookup; NULL where that failed',
    first_seen_at DateTime('UTC')
)
ENGINE = MergeTree ORDER BY pubkey
COMMENT 'Nodes of the chain that gossip now: validators and others, on the network or not';

INSERT INTO gossip_nodes
SELECT
    pubkey,
    any(scratch_nodes.ip),
    8000 + cityHash64({seed:UInt32}, 'port', pubkey) % 3,
    argMax(version, changed_at),
    if(cityHash64({seed:UInt32}, 'country', pubkey) % 12 = 0, NULL,
        arrayElement(['US', 'DE', 'NL', 'US', 'GB', 'JP', 'FR', 'SG', 'DE', 'PL', 'CA', 'BR'], 1 + cityHash64({seed:UInt32}, 'where', pubkey) % 12)),
    toDateTime(min(changed_at), 'UTC')
FROM gossip_nodes_history
INNER JOIN scratch_nodes USING (pubkey)
WHERE in_gossip
GROUP BY pubkey;
