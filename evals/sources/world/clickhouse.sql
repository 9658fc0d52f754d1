-- An operator of charging stations for electric cars. `charging` is of operations, `app` of the customer app and marketing. Data of May to August 2026.
-- Every value is a hash of its row's number, the same as in postgres.sql, so the rows are the same everywhere.

CREATE FUNCTION eval_h AS (a, s) -> (((toUInt64(a) * 48271 + s * 69621 + 7) % 2147483647) * ((toUInt64(a) * 48271 + s * 69621 + 7) % 2147483647) % 2147483647 * 16807 + toUInt64(a) * 48271 + s) % 2147483647;

CREATE DATABASE charging COMMENT 'Charging stations, sessions and faults. Data up to and including 31 August 2026, in UTC';

CREATE TABLE charging.sites (
    site_code String COMMENT 'Country and running number, such as DE-0042. The number alone is unique',
    name String,
    country LowCardinality(String),
    opened_on Date
) ENGINE = MergeTree ORDER BY site_code;
INSERT INTO charging.sites
SELECT
    concat(['DE', 'AT', 'DE', 'NL', 'DK'][1 + number % 5], '-', leftPad(toString(number), 4, '0')) AS site_code,
    concat(['Lindenhof', 'Harbour', 'Westpark', 'Stadium', 'Old Mill', 'Ring Road', 'Airport', 'Market', 'Riverside', 'Campus', 'Depot', 'Forest'][1 + eval_h(number, 1) % 12], ' ', toString(number)) AS name,
    ['DE', 'AT', 'DE', 'NL', 'DK'][1 + number % 5] AS country,
    toDate('2019-01-01') + eval_h(number, 2) % 2300 AS opened_on
FROM numbers(1, 160);

CREATE TABLE charging.stations (
    id UInt32,
    site_code Nullable(String) COMMENT 'NULL while the station is in stock',
    vendor LowCardinality(String) COMMENT 'Code of the maker',
    max_kw Float32,
    installed_on Date,
    retired_on Nullable(Date)
) ENGINE = MergeTree ORDER BY id;
INSERT INTO charging.stations
SELECT
    1001 + number AS id,
    if(eval_h(number, 13) % 100 < 3, NULL, concat(['DE', 'AT', 'DE', 'NL', 'DK'][1 + site % 5], '-', leftPad(toString(site), 4, '0'))) AS site_code,
    ['alp', 'abb', 'kem', 'alp', 'siem', 'tri', 'kem'][1 + eval_h(number, 11) % 7] AS vendor,
    [22, 50, 150, 300][1 + eval_h(number, 12) % 4] AS max_kw,
    toDate('2020-01-01') + eval_h(number, 14) % 2200 AS installed_on,
    if(eval_h(number, 15) % 100 < 5, toDate('2026-06-01') + eval_h(number, 16) % 90, NULL) AS retired_on
FROM (SELECT number, 1 + eval_h(number, 10) % 150 AS site FROM numbers(620));

CREATE TABLE charging.sessions (
    id UInt64,
    station_id UInt32,
    card_no Nullable(String) COMMENT 'Charging card, such as CARD-000123. NULL for ad hoc charging without a card',
    started_at DateTime('UTC'),
    ended_at DateTime('UTC'),
    energy_kwh Float64,
    status LowCardinality(String) COMMENT 'completed, aborted or error. Only completed sessions are billed'
) ENGINE = MergeTree ORDER BY (station_id, started_at);
INSERT INTO charging.sessions
SELECT
    number AS id,
    1001 + eval_h(number, 21) % 620 AS station_id,
    if(eval_h(number, 22) % 100 < 78, concat('CARD-', leftPad(toString(1 + least(eval_h(number, 23) % 3000, eval_h(number, 24) % 3000)), 6, '0')), NULL) AS card_no,
    toDateTime('2026-05-01 00:00:00', 'UTC') + eval_h(number, 25) % (123 * 86400) AS started_at,
    started_at + 300 + eval_h(number, 26) % 5400 AS ended_at,
    (if(status = 'completed', 3000, 0) + eval_h(number, 27) % if(status = 'completed', 47000, 1500)) / 1000 AS energy_kwh,
    multiIf(eval_h(number, 28) % 100 < 88, 'completed', eval_h(number, 28) % 100 < 95, 'aborted', 'error') AS status
FROM numbers(1, 24000);

CREATE TABLE charging.payments (
    session_id UInt64,
    paid_at DateTime('UTC'),
    amount_eur Float64 COMMENT 'With tax. Refunds are rows below zero',
    method LowCardinality(String)
) ENGINE = MergeTree ORDER BY session_id
COMMENT 'Payments at the station for ad hoc charging. Payments of invoices are a matter of finance';
INSERT INTO charging.payments
SELECT s.id, s.ended_at + part * 3600 * 30, if(part = 0, 1, -1) * round(s.energy_kwh * 0.59, 2), ['visa', 'mastercard', 'girocard', 'paypal'][1 + eval_h(s.id, 31) % 4]
FROM charging.sessions AS s ARRAY JOIN [0, 1] AS part
WHERE s.card_no IS NULL AND s.status = 'completed' AND eval_h(s.id, 32) % 100 < if(part = 0, 94, 4);

CREATE TABLE charging.faults (
    id UInt32,
    station_id UInt32,
    code LowCardinality(String),
    reported_at DateTime('UTC'),
    cleared_at Nullable(DateTime('UTC')) COMMENT 'NULL while the fault is open'
) ENGINE = MergeTree ORDER BY reported_at;
INSERT INTO charging.faults
SELECT
    number AS id,
    1001 + least(eval_h(number, 41) % 620, eval_h(number, 42) % 620) AS station_id,
    ['E-CONNECTOR', 'E-COMM', 'E-OVERHEAT', 'E-DISPLAY', 'E-GROUND'][1 + eval_h(number, 43) % 5] AS code,
    toDateTime('2026-05-01 00:00:00', 'UTC') + eval_h(number, 44) % (123 * 86400) AS reported_at,
    if(eval_h(number, 45) % 100 < 12, NULL, reported_at + 1800 + eval_h(number, 46) % 400000) AS cleared_at
FROM numbers(1, 1600);

CREATE DATABASE app COMMENT 'The customer app and marketing. Data up to and including 31 August 2026, in UTC';

CREATE TABLE app.users (
    user_id UInt32,
    customer_no Nullable(String) COMMENT 'As the user typed it in, such as C00042. NULL for users without a contract',
    country LowCardinality(String),
    registered_at DateTime('UTC'),
    newsletter Bool
) ENGINE = MergeTree ORDER BY user_id
COMMENT 'Accounts of the app. A customer may have several';
INSERT INTO app.users
SELECT
    5000 + number AS user_id,
    if(eval_h(number, 51) % 100 < 22, NULL, concat('C', leftPad(toString(customer), 5, '0'))) AS customer_no,
    ['DE', 'DE', 'DE', 'AT', 'NL', 'DK'][1 + eval_h(if(eval_h(number, 53) % 100 < 3, number, customer), 54) % 6] AS country,
    toDateTime('2023-01-01 00:00:00', 'UTC') + eval_h(number, 55) % (1338 * 86400) AS registered_at,
    eval_h(number, 56) % 100 < 37 AS newsletter
FROM (SELECT number, 1 + eval_h(number, 52) % 2200 AS customer FROM numbers(2600));

CREATE TABLE app.campaigns (
    code String,
    channel LowCardinality(String),
    starts_on Date,
    ends_on Date,
    budget_eur Float64
) ENGINE = MergeTree ORDER BY code;
INSERT INTO app.campaigns
SELECT
    concat(['SPRING', 'SUMMER', 'FLEET', 'REFER', 'NIGHT', 'ALPS', 'COAST'][1 + number % 7], if(number < 7, '25', '26')) AS code,
    ['mail', 'social', 'search', 'poster'][1 + eval_h(number, 61) % 4] AS channel,
    toDate('2026-05-01') + eval_h(number, 62) % 60 AS starts_on,
    starts_on + 20 + eval_h(number, 63) % 40 AS ends_on,
    5000 + 500 * (eval_h(number, 64) % 30) AS budget_eur
FROM numbers(14);

CREATE TABLE app.visits (
    at DateTime('UTC'),
    user_id Nullable(UInt32) COMMENT 'NULL while not logged in',
    page LowCardinality(String),
    campaign Nullable(String) COMMENT 'Code of the campaign that brought the visit'
) ENGINE = MergeTree ORDER BY at;
INSERT INTO app.visits
SELECT
    toDateTime('2026-05-01 00:00:00', 'UTC') + eval_h(number, 71) % (123 * 86400) AS at,
    if(eval_h(number, 72) % 100 < 15, NULL, 5000 + eval_h(number, 73) % 2600) AS user_id,
    ['map', 'map', 'station', 'pricing', 'account', 'help'][1 + eval_h(number, 74) % 6] AS page,
    if(eval_h(number, 75) % 100 < 70, NULL, concat(['SPRING', 'SUMMER', 'FLEET', 'REFER', 'NIGHT', 'PARTNER'][1 + eval_h(number, 76) % 6], if(eval_h(number, 77) % 100 < 30, '25', '26'))) AS campaign
FROM numbers(1, 20000);

CREATE TABLE app.tickets (
    id UInt32,
    customer_no Nullable(String),
    site Nullable(String) COMMENT 'The site the ticket is about, in small letters, such as de-0042',
    topic LowCardinality(String) COMMENT 'billing, broken station, app, card or other',
    opened_at DateTime('UTC'),
    closed_at Nullable(DateTime('UTC'))
) ENGINE = MergeTree ORDER BY opened_at
COMMENT 'Requests to the help desk';
INSERT INTO app.tickets
SELECT
    number AS id,
    if(eval_h(number, 81) % 100 < 28, NULL, concat('C', leftPad(toString(1 + least(eval_h(number, 82) % 2100, eval_h(number, 83) % 2100)), 5, '0'))) AS customer_no,
    if(eval_h(number, 84) % 100 < if(topic = 'broken station', 12, 60), NULL, concat(['de', 'at', 'de', 'nl', 'dk'][1 + site_no % 5], '-', leftPad(toString(site_no), 4, '0'))) AS site,
    ['billing', 'broken station', 'broken station', 'app', 'card', 'other'][1 + eval_h(number, 85) % 6] AS topic,
    toDateTime('2026-05-01 00:00:00', 'UTC') + eval_h(number, 86) % (123 * 86400) AS opened_at,
    if(eval_h(number, 87) % 100 < 14, NULL, opened_at + 3600 + eval_h(number, 88) % 900000) AS closed_at
FROM (SELECT number, 1 + least(eval_h(number, 89) % 190, eval_h(number, 90) % 190) AS site_no FROM numbers(1, 2200));

CREATE TABLE app.ratings (
    station_id UInt32,
    user_id UInt32,
    stars UInt8,
    rated_at DateTime('UTC')
) ENGINE = MergeTree ORDER BY rated_at;
INSERT INTO app.ratings
SELECT
    1001 + eval_h(number, 91) % 700 AS station_id,
    5000 + eval_h(number, 92) % 2600 AS user_id,
    1 + (eval_h(number, 93) % 5 + eval_h(station_id, 94) % 5) / 2 AS stars,
    toDateTime('2026-05-01 00:00:00', 'UTC') + eval_h(number, 95) % (123 * 86400) AS rated_at
FROM numbers(1, 4000);

DROP FUNCTION eval_h;
