-- What the customers' data are made from, asked of the network's database in ClickHouse: every account, and what it received in the last day.
WITH received AS (
    SELECT user_pubkey, sum(bytes) AS day_bytes, max(bytes) AS largest_group_bytes
    FROM (
        SELECT user_pubkey, group_code, sum(bytes_to_subscriber) AS bytes
        FROM fact_multicast_traffic
        WHERE measured_at > (SELECT max(measured_at) FROM fact_multicast_traffic) - INTERVAL 24 HOUR
        GROUP BY user_pubkey, group_code
    ) AS by_group
    GROUP BY user_pubkey
)
SELECT
    users.pubkey AS account,
    users.user_type AS kind,
    users.status AS status,
    users.dz_ip AS address,
    validators.validator_name AS operator,
    toUInt32(dateDiff('second', users.created_at, {anchor:DateTime('UTC')})) AS age,
    toString(received.day_bytes) AS day_bytes,
    account IN (SELECT user_pubkey FROM multicast_subscriptions WHERE role = 'publisher') AS publishes,
    toString(received.largest_group_bytes) AS largest_group_bytes
FROM dz_users AS users
LEFT JOIN received ON received.user_pubkey = users.pubkey
LEFT JOIN gossip_nodes AS nodes ON nodes.gossip_ip = users.dz_ip
LEFT JOIN vote_accounts AS validators ON validators.node_pubkey = nodes.pubkey
WHERE users.status != 'rejected'
ORDER BY account
