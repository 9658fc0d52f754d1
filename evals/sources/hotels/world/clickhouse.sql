-- A group of hotels. `house` is what the systems in the houses and the website record. Data of January to June 2026.
-- Every value is a hash of its row's number, the same as in postgres.sql, so the rows are the same everywhere.

DROP FUNCTION IF EXISTS eval_h;
DROP FUNCTION IF EXISTS eval_house;
DROP FUNCTION IF EXISTS eval_rooms;
DROP FUNCTION IF EXISTS eval_room;

CREATE FUNCTION eval_h AS (a, s) -> (((toUInt64(a) * 48271 + s * 69621 + 7) % 2147483647) * ((toUInt64(a) * 48271 + s * 69621 + 7) % 2147483647) % 2147483647 * 16807 + toUInt64(a) * 48271 + s) % 2147483647;
CREATE FUNCTION eval_house AS b -> concat(['LIS', 'OPO', 'MAD', 'BCN', 'SVQ', 'VLC', 'SDR'][1 + intDiv(b - 1, 6)], '-0', toString(1 + (b - 1) % 6));
CREATE FUNCTION eval_rooms AS b -> 24 + eval_h(b, 208) % 4 * 12;
CREATE FUNCTION eval_room AS k -> (1 + intDiv(k, 12)) * 100 + 1 + k % 12;

CREATE DATABASE house COMMENT 'Systems in the houses and the website. Data of 1 January to 30 June 2026, in UTC';

-- The reservations and employees of postgres.sql, dropped at the end.
CREATE TABLE house.made_stays ENGINE = Memory AS
SELECT
    number AS n,
    arrayFilter(x -> x NOT IN (9, 23, 31), range(1, 39))[1 + least(eval_h(number, 201) % 35, eval_h(number, 202) % 35)] AS b,
    toDate('2026-01-01') + eval_h(number, 203) % 190 AS arrival,
    arrival + 1 + eval_h(number, 204) % 6 AS departure,
    multiIf(eval_h(number, 205) % 100 < 11, 'cancelled', departure > '2026-06-30', 'booked', eval_h(number, 205) % 100 < 14, 'no_show', 'stayed') AS status,
    eval_room(eval_h(number, 209) % eval_rooms(b)) AS room
FROM numbers(1, 14000);

CREATE TABLE house.made_staff ENGINE = Memory AS
SELECT
    number AS e,
    if(number > 900 OR eval_h(number, 303) % 100 < 6, NULL, arrayFilter(x -> x NOT IN (9, 23, 31), range(1, 39))[1 + eval_h(number, 302) % 35]) AS b,
    multiIf(number > 900 OR eval_h(number, 301) % 100 < 40, 'housekeeping', eval_h(number, 301) % 100 < 60, 'front desk', eval_h(number, 301) % 100 < 78, 'kitchen', eval_h(number, 301) % 100 < 90, 'technical', 'management') AS department
FROM numbers(1, 960);

CREATE TABLE house.buildings (
    code String COMMENT 'City and running number, such as LIS-01',
    city LowCardinality(String),
    built UInt16,
    has_pool Bool
) ENGINE = MergeTree ORDER BY code
COMMENT 'Buildings with our systems: hotels and houses for staff. Franchised hotels have systems of their own';
INSERT INTO house.buildings
SELECT eval_house(b), ['Lisbon', 'Porto', 'Madrid', 'Barcelona', 'Seville', 'Valencia'][1 + intDiv(b - 1, 6)], 1890 + eval_h(b, 411) % 130, eval_h(b, 412) % 100 < 40
FROM (SELECT arrayJoin(range(1, 37)) AS b) WHERE b NOT IN (17, 28);

CREATE TABLE house.meter_days (
    building String,
    day Date,
    electricity_kwh Float64,
    water_m3 Float64
) ENGINE = MergeTree ORDER BY (building, day)
COMMENT 'One row for each building and day. A day without a reading has no row';
INSERT INTO house.meter_days
SELECT eval_house(b), toDate('2026-01-01') + d, (12000 + eval_h(b * 1000 + d, 401) % 40000) / 100, (300 + eval_h(b * 1000 + d, 403) % 1500) / 100
FROM (SELECT arrayJoin(range(1, 37)) AS b, arrayJoin(range(181)) AS d) WHERE b NOT IN (17, 28) AND eval_h(b * 1000 + d, 402) % 100 >= 2;

CREATE TABLE house.door_openings (
    at DateTime('UTC'),
    building String,
    room String COMMENT 'Four digits, such as 0204',
    opener LowCardinality(String) COMMENT 'guest or staff',
    badge Nullable(String) COMMENT 'Badge of the employee, such as B-00123. NULL for guests'
) ENGINE = MergeTree ORDER BY at
COMMENT 'Openings of room doors from outside';
INSERT INTO house.door_openings
SELECT toDateTime(arrival, 'UTC') + 50400 + eval_h(number, 422) % (toUInt32(departure - arrival) * 86400 - 14400) AS at, eval_house(b), leftPad(toString(room), 4, '0'), 'guest', NULL
FROM (SELECT number, 1 + eval_h(number, 421) % 14000 AS n FROM numbers(1, 26000)) AS o
INNER JOIN house.made_stays AS s ON s.n = o.n
WHERE b < 37 AND b NOT IN (17, 28) AND at < '2026-07-01 00:00:00' AND (status IN ('stayed', 'booked') OR eval_h(number, 423) % 100 < 4);
INSERT INTO house.door_openings
SELECT toDateTime('2026-01-01 06:00:00', 'UTC') + eval_h(number, 432) % 181 * 86400 + eval_h(number, 433) % 43200, eval_house(ifNull(b, 1 + eval_h(number, 434) % 16)),
    leftPad(toString(eval_room(eval_h(number, 435) % eval_rooms(ifNull(b, 1 + eval_h(number, 434) % 16)))), 4, '0'), 'staff', concat('B-', leftPad(toString(e + 100), 5, '0'))
FROM (SELECT number, 1 + eval_h(number, 431) % 960 AS e FROM numbers(1, 16000)) AS o
INNER JOIN house.made_staff AS s ON s.e = o.e
WHERE ifNull(b, 1) < 37 AND ifNull(b, 1) NOT IN (17, 28) AND department IN ('housekeeping', 'technical', 'management');

CREATE TABLE house.cleanings (
    id UInt32,
    building String,
    room String COMMENT 'Four digits, such as 0204',
    badge String COMMENT 'Badge of who cleaned, such as B-00123. Firms from outside have badges too',
    kind LowCardinality(String) COMMENT 'departure, stay or deep',
    started_at DateTime('UTC'),
    minutes UInt16,
    outcome LowCardinality(String) COMMENT 'ok, or redo where the room had to be cleaned again'
) ENGINE = MergeTree ORDER BY started_at;
INSERT INTO house.cleanings
SELECT number, eval_house(at_b), leftPad(toString(eval_room(eval_h(number, 443) % eval_rooms(at_b))), 4, '0'), concat('B-', leftPad(toString(e + 100), 5, '0')),
    ['departure', 'stay', 'stay', 'departure', 'deep'][1 + eval_h(number, 444) % 5], toDateTime('2026-01-01 08:00:00', 'UTC') + eval_h(number, 445) % 181 * 86400 + eval_h(number, 446) % 28800,
    12 + eval_h(number, 447) % 40, if(eval_h(number, 448) % 100 < 3 + e % 7, 'redo', 'ok')
FROM (
    SELECT number, o.e AS e, department, if(b IS NULL OR eval_h(number, 442) % 100 < 12, 10 + eval_h(number, 449) % 7, b) AS at_b
    FROM (SELECT number, 1 + eval_h(number, 441) % 960 AS e FROM numbers(1, 40000)) AS o
    INNER JOIN house.made_staff AS s ON s.e = o.e
) WHERE department = 'housekeeping' AND at_b < 37 AND at_b NOT IN (17, 28);

CREATE TABLE house.repairs (
    id UInt32,
    building String,
    room Nullable(String) COMMENT 'Four digits, such as 0204. NULL for halls, lifts and kitchens',
    topic LowCardinality(String) COMMENT 'plumbing, heating, lock, tv or wifi',
    opened_at DateTime('UTC'),
    closed_at Nullable(DateTime('UTC')) COMMENT 'NULL while the ticket is open',
    badge Nullable(String) COMMENT 'Badge of the technician, such as B-00123. NULL while nobody has taken it'
) ENGINE = MergeTree ORDER BY opened_at;
INSERT INTO house.repairs
SELECT number, eval_house(at_b), if(eval_h(number, 453) % 100 < 25, NULL, leftPad(toString(eval_room(eval_h(number, 454) % eval_rooms(at_b))), 4, '0')),
    ['plumbing', 'heating', 'lock', 'tv', 'wifi'][1 + eval_h(number, 455) % 5], toDateTime('2026-01-01 00:00:00', 'UTC') + eval_h(number, 456) % (181 * 86400) AS opened,
    if(eval_h(number, 457) % 100 < 15, NULL, opened + 1200 + eval_h(number, 458) % 300000), if(eval_h(number, 457) % 100 < 10, NULL, concat('B-', leftPad(toString(e + 100), 5, '0')))
FROM (
    SELECT number, o.e AS e, department, ifNull(b, 1 + eval_h(number, 452) % 16) AS at_b
    FROM (SELECT number, 1 + eval_h(number, 451) % 900 AS e FROM numbers(1, 20000)) AS o
    INNER JOIN house.made_staff AS s ON s.e = o.e
) WHERE department = 'technical' AND at_b < 37 AND at_b NOT IN (17, 28);

CREATE TABLE house.minibar (
    id UInt32,
    building String,
    room String COMMENT 'Four digits, such as 0204',
    taken_at DateTime('UTC'),
    item LowCardinality(String),
    price_eur Float64
) ENGINE = MergeTree ORDER BY taken_at
COMMENT 'What guests took from the minibars, by their sensors';
INSERT INTO house.minibar
SELECT number, eval_house(b), leftPad(toString(room), 4, '0'), toDateTime(arrival, 'UTC') + 57600 + eval_h(number, 462) % (toUInt32(departure - arrival) * 86400 - 28800),
    ['water', 'beer', 'wine', 'chocolate', 'nuts', 'cola'][1 + eval_h(number, 463) % 6], [2.5, 4.5, 9, 5, 3.5, 3][1 + eval_h(number, 463) % 6]
FROM (SELECT number, 1 + eval_h(number, 461) % 14000 AS n FROM numbers(1, 9000)) AS o
INNER JOIN house.made_stays AS s ON s.n = o.n
WHERE b < 37 AND b NOT IN (17, 28) AND status = 'stayed';

CREATE TABLE house.reviews (
    id UInt32,
    building String,
    booking_ref Nullable(String) COMMENT 'Number of the reservation in small letters, such as bk-000123. NULL where the guest did not give it',
    site LowCardinality(String),
    score UInt8 COMMENT '1 to 10',
    written_at DateTime('UTC')
) ENGINE = MergeTree ORDER BY written_at
COMMENT 'Reviews by guests, those of franchised hotels too';
INSERT INTO house.reviews
SELECT number, eval_house(b), if(eval_h(number, 472) % 100 < 12, NULL, concat('bk-', leftPad(toString(if(eval_h(number, 473) % 100 < 4, o.n + 14000, o.n)), 6, '0'))),
    ['web', 'app', 'Roomio', 'Staybay'][1 + eval_h(number, 474) % 4], least(10, 3 + eval_h(b, 475) % 3 + eval_h(number, 476) % 5), toDateTime(departure, 'UTC') + 43200 + eval_h(number, 477) % (18 * 86400) AS at
FROM (SELECT number, 1 + eval_h(number, 471) % 14000 AS n FROM numbers(1, 5200)) AS o
INNER JOIN house.made_stays AS s ON s.n = o.n
WHERE at < '2026-07-01 00:00:00' AND (status = 'stayed' OR eval_h(number, 478) % 100 < 20);

CREATE TABLE house.searches (
    id UInt32,
    at DateTime('UTC'),
    member Nullable(String) COMMENT 'Number of the member who was logged in, such as M-10042. NULL without a login',
    city LowCardinality(String),
    building Nullable(String) COMMENT 'NULL where the whole city was searched',
    nights UInt8
) ENGINE = MergeTree ORDER BY at
COMMENT 'Searches for a stay on our website';
INSERT INTO house.searches
SELECT number, toDateTime('2026-01-01 00:00:00', 'UTC') + eval_h(number, 482) % (181 * 86400),
    if(eval_h(number, 483) % 100 < 78 AND (g > 6000 OR eval_h(g, 221) % 100 < 40), concat('M-', toString(10000 + g)), NULL),
    ['Lisbon', 'Porto', 'Madrid', 'Barcelona', 'Seville', 'Valencia', 'Santander'][1 + intDiv(b - 1, 6)], if(eval_h(number, 484) % 100 < 35, NULL, eval_house(b)), 1 + eval_h(number, 485) % 9
FROM (SELECT number, 1 + eval_h(number, 481) % 6300 AS g, 1 + least(eval_h(number, 486) % 38, eval_h(number, 487) % 38) AS b FROM numbers(1, 16000));

DROP TABLE house.made_stays;
DROP TABLE house.made_staff;
DROP FUNCTION eval_room;
DROP FUNCTION eval_rooms;
DROP FUNCTION eval_house;
DROP FUNCTION eval_h;
