-- What was measured, relative to the anchor: step n is the interval that begins n intervals before it.

CREATE TABLE scratch_links
(
    code LowCardinality(String), status LowCardinality(String), side_a_device LowCardinality(String), side_z_device LowCardinality(String),
    bandwidth_bps UInt64, kilometres UInt32, base_rtt_us UInt32, story LowCardinality(String), h UInt64
)
ENGINE = MergeTree ORDER BY code;

-- Distances are rounded to 10 km, which hides what processors differ in. Light in fibre takes 10 µs per km and back; a link is 15 to 34 %
-- longer than the great circle, but Madrid–Milan goes round by the north.
INSERT INTO scratch_links
SELECT
    dz_links.code AS code, status, side_a_device, side_z_device, bandwidth_bps,
    toUInt32(round(greatCircleDistance(metro_a.longitude, metro_a.latitude, metro_z.longitude, metro_z.latitude) / 10000)) * 10 AS kilometres,
    if(link_type = 'metro', 90 + h % 210,
        350 + intDiv(kilometres * multiIf(story = 'detour', 2600, code = 'hkg-dz01:sin-dz02', 2100, 1150 + h % 190), 100)),
    transform(code,
        ['tyo-dz02:sin-dz01', 'dal-dz01:mia-dz01', 'ams-dz02:dub-dz01', 'lon-dz01:nyc-dz01', 'chi-dz01:sea-dz01', 'fra-dz01:par-dz01', 'zrh-dz01:fra-dz03', 'mad-dz01:mil-dz01'],
        ['heavy_loss', 'light_loss', 'drained_on_purpose', 'incident', 'full_one_way', 'busy_both_ways', 'third_busiest', 'detour'], '') AS story,
    cityHash64({seed:UInt32}, 'telemetry', code) AS h
FROM dz_links
INNER JOIN dz_metros AS metro_a ON metro_a.code = left(side_a_device, 3)
INNER JOIN dz_metros AS metro_z ON metro_z.code = left(side_z_device, 3)
WHERE status IN ('activated', 'drained');

CREATE TABLE fact_link_telemetry
(
    measured_at DateTime('UTC') COMMENT 'Start of the five-minute interval' CODEC(DoubleDelta, ZSTD),
    link_code LowCardinality(String) COMMENT 'dz_links.code',
    direction LowCardinality(String) COMMENT 'a_to_z or z_to_a: which side sent the probes',
    rtt_us Nullable(UInt32) COMMENT 'Mean round trip in microseconds; NULL when every probe was lost' CODEC(ZSTD),
    jitter_us Nullable(UInt32) COMMENT 'Microseconds' CODEC(ZSTD),
    packets_sent UInt16,
    packets_lost UInt16,
    loss_percent Decimal(5, 2) COMMENT 'packets_lost / packets_sent in percent; healthy links lose nothing'
)
ENGINE = MergeTree PARTITION BY toYYYYMM(measured_at) ORDER BY (link_code, direction, measured_at)
COMMENT 'Probes over every link that is activated or drained, both directions, every five minutes for 30 days';

INSERT INTO fact_link_telemetry
WITH
    cityHash64({seed:UInt32}, h, way, step) AS noise,
    cityHash64({seed:UInt32}, h, way, step % 12) AS hourly,
    -- Probes lost of 200. The planted losses repeat each hour, so that their mean hardly depends on where a window begins.
    multiIf(
        story = 'heavy_loss', if(way = 0 AND step <= 372, 6 + hourly % 7 + cityHash64({seed:UInt32}, 'loss') % 3, 0),
        story = 'light_loss', if(step <= 480, if(step % 12 = 0, 1 + hourly % 3, hourly % 3), 0),
        story = 'drained_on_purpose', if(step <= 346, 200, 0),
        story = 'incident' AND step BETWEEN 643 AND 648, intDiv(6 + noise % 7, way + 1),
        story = 'incident' AND step BETWEEN 601 AND 642, intDiv(40 + noise % 38, way + 1),
        step > 1152 AND noise % 5000 = 0, 1,
        0) AS lost
SELECT
    {anchor:DateTime('UTC')} - toIntervalSecond(300 * step),
    code,
    if(way = 0, 'a_to_z', 'z_to_a'),
    if(lost = 200, NULL, base_rtt_us + noise % (8 + intDiv(base_rtt_us, 400)) + if(story = 'incident' AND lost > 15, 18000 + noise % 6000, 0)),
    if(lost = 200, NULL, 4 + h % 40 + intDiv(noise, 1000) % 12 + if(story IN ('heavy_loss', 'incident') AND lost > 4, 900 + noise % 700, 0)),
    200,
    lost,
    toDecimal32(lost, 2) / 2
FROM scratch_links
ARRAY JOIN [0, 1] AS way
CROSS JOIN (SELECT toUInt32(number + 1) AS step FROM numbers(8640)) AS steps;

CREATE TABLE fact_interface_counters
(
    measured_at DateTime('UTC') COMMENT 'Start of the interval' CODEC(DoubleDelta, ZSTD),
    interval_seconds UInt16,
    device_code LowCardinality(String) COMMENT 'dz_devices.code',
    interface LowCardinality(String),
    link_code LowCardinality(String) COMMENT 'dz_links.code; each link appears with an interface on both of its devices, which count the same traffic',
    link_side LowCardinality(String) COMMENT 'a or z: the side of the link that the interface is on',
    in_bytes UInt64 COMMENT 'Bytes received in the interval (not a running total)' CODEC(ZSTD),
    out_bytes UInt64 COMMENT 'Bytes sent in the interval (not a running total)' CODEC(ZSTD),
    in_errors UInt32,
    out_errors UInt32,
    in_discards UInt32,
    out_discards UInt32,
    carrier_transitions UInt16 COMMENT 'How often the interface went down or up'
)
ENGINE = MergeTree PARTITION BY toYYYYMM(measured_at) ORDER BY (link_code, link_side, measured_at)
COMMENT 'Traffic and errors of the interfaces at both ends of every link, every five minutes for seven days';

INSERT INTO fact_interface_counters
WITH
    (story = 'incident' AND step BETWEEN 589 AND 630) OR (story = 'drained_on_purpose' AND step <= 348)
        OR (status = 'drained' AND story = '') AS idle,
    -- The day's wave is a triangle that begins at the anchor; traffic grows by 0.8 % a day.
    abs(144 - toInt32((step + h) % 288)) AS wave,
    multiIf(
        story = 'full_one_way', (95000, 780000),
        story = 'busy_both_ways', (520000, 500000),
        story = 'third_busiest', (420000, 130000),
        (40000 + h % 240000, 30000 + intDiv(h, 1000) % 240000)) AS busy,
    (busy_millionths, way) -> idle ? 0 : intDiv(intDiv(bandwidth_bps * 300, 8) * toUInt64(intDiv(
        busy_millionths * (880 + wave) * (1000 - intDiv(step, 288) * 8) * (990 + cityHash64({seed:UInt32}, h, step, way) % 21), 1000000000)), 1000000) AS bytes,
    bytes(busy.1, 0) AS a_to_z,
    bytes(busy.2, 1) AS z_to_a,
    cityHash64({seed:UInt32}, 'errors', h, side, step) AS noise
SELECT
    {anchor:DateTime('UTC')} - toIntervalSecond(300 * step),
    300,
    if(side = 'a', side_a_device, side_z_device),
    concat('et', toString(1 + (h + ascii(side)) % 32)),
    code,
    side,
    if(side = 'a', z_to_a, a_to_z),
    if(side = 'a', a_to_z, z_to_a),
    multiIf(
        side = 'z' AND story = 'incident' AND step BETWEEN 601 AND 642, 300 + noise % 900,
        side = 'z' AND story = 'heavy_loss' AND step <= 372, 40 + noise % 60,
        step > 1152 AND noise % 2000 = 0, 1 + intDiv(noise, 2000) % 3,
        0),
    0,
    0,
    if(side = 'a' AND story = 'incident' AND step BETWEEN 631 AND 642, 2000 + noise % 3000, 0),
    if(story = 'incident' AND step IN (601, 642), 2, 0)
FROM scratch_links
ARRAY JOIN ['a', 'z'] AS side
CROSS JOIN (SELECT toUInt32(number + 1) AS step FROM numbers(2016)) AS steps;

CREATE TABLE fact_internet_latency
(
    measured_at DateTime('UTC') COMMENT 'Start of the hour' CODEC(DoubleDelta, ZSTD),
    metro_1 LowCardinality(String) COMMENT 'dz_metros.code; of the two metros of a pair the one that comes first in the alphabet',
    metro_2 LowCardinality(String) COMMENT 'dz_metros.code; the other one',
    rtt_us Nullable(UInt32) COMMENT 'Median round trip over the public internet in microseconds; NULL when no probe answered' CODEC(ZSTD),
    jitter_us Nullable(UInt32) CODEC(ZSTD)
)
ENGINE = MergeTree PARTITION BY toYYYYMM(measured_at) ORDER BY (metro_1, metro_2, measured_at)
COMMENT 'Latency over the public internet between each pair of metros, every hour for 30 days, to compare the network''s links with';

INSERT INTO fact_internet_latency
WITH cityHash64({seed:UInt32}, 'internet', metro_1, metro_2, step) AS noise
SELECT
    {anchor:DateTime('UTC')} - toIntervalHour(step),
    metro_1,
    metro_2,
    if(noise % 400 = 0, NULL, base_rtt_us + noise % (200 + intDiv(base_rtt_us, 60))),
    if(noise % 400 = 0, NULL, 300 + intDiv(noise, 500) % 2500)
FROM
(
    SELECT
        one.code AS metro_1,
        two.code AS metro_2,
        cityHash64({seed:UInt32}, 'pair', metro_1, metro_2) AS h,
        toUInt32(round(greatCircleDistance(one.longitude, one.latitude, two.longitude, two.latitude) / 10000)) * 10 AS kilometres,
        1500 + h % 2500 + intDiv(kilometres * (1450 + intDiv(h, 10000) % 600), 100) AS base_rtt_us
    FROM dz_metros AS one
    CROSS JOIN dz_metros AS two
    WHERE one.code < two.code
) AS pairs
CROSS JOIN (SELECT toUInt32(number + 1) AS step FROM numbers(720)) AS steps;
