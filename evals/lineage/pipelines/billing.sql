CREATE DATABASE saas;
CREATE DATABASE treasury;
CREATE TABLE saas.accounts (account_id String, name String, plan LowCardinality(String), currency LowCardinality(String)) ENGINE = MergeTree ORDER BY account_id;
INSERT INTO saas.accounts
SELECT concat('A-', leftPad(toString(1 + number), 4, '0')),
       concat(['Nordlys', 'Quarry', 'Bluefin', 'Hartwell', 'Ostara', 'Pinecrest', 'Velo', 'Marisol', 'Tessera', 'Kestrel'][1 + number % 10], ' ', ['Labs', 'Logistics', 'Foods', 'Health', 'Media', 'Works'][1 + intDiv(number, 10) % 6], if(number < 60, '', concat(' ', toString(intDiv(number, 60) + 1)))),
       ['starter', 'team', 'team', 'scale'][1 + cityHash64(number, 'plan') % 4], ['EUR', 'EUR', 'USD', 'GBP', 'SEK'][1 + cityHash64(number, 'cur') % 5]
FROM numbers(240);
CREATE TABLE saas.prices (plan LowCardinality(String), meter LowCardinality(String), valid_from DateTime('UTC'), unit_price Decimal(12, 6)) ENGINE = MergeTree ORDER BY (plan, meter, valid_from);
INSERT INTO saas.prices
SELECT plan, meter, valid_from, toDecimal64(multiIf(meter = 'api_calls', 0.002, meter = 'storage_gb', 0.11, 9.5) * multiIf(plan = 'starter', 1.3, plan = 'team', 1.0, 0.8) * if(valid_from < toDateTime('2026-02-10 00:00:00', 'UTC'), 1.0, 1.05), 6)
FROM (SELECT arrayJoin(['starter', 'team', 'scale']) AS plan) AS p CROSS JOIN (SELECT arrayJoin(['api_calls', 'storage_gb', 'seats']) AS meter) AS m
CROSS JOIN (SELECT arrayJoin([toDateTime('2025-01-01 00:00:00', 'UTC'), toDateTime('2026-02-15 00:00:00', 'UTC')]) AS valid_from) AS v;
CREATE TABLE saas.usage_events (event_id UInt64, account_id String, meter LowCardinality(String), quantity String, at DateTime('UTC')) ENGINE = MergeTree ORDER BY (event_id, at);
INSERT INTO saas.usage_events
SELECT 700000 + number, concat('A-', leftPad(toString(1 + cityHash64(number, 'acc') % 240), 4, '0')), ['api_calls', 'api_calls', 'storage_gb', 'seats'][1 + number % 4],
       multiIf(number % 4 < 2, toString(50 + cityHash64(number, 'n') % 9000), number % 4 = 2, toString((10 + cityHash64(number, 'n') % 4000) / 10), toString(1 + cityHash64(number, 'n') % 12)),
       toDateTime('2026-01-29 00:00:00', 'UTC') + cityHash64(number, 'at') % 2937600
FROM numbers(5600);
INSERT INTO saas.usage_events SELECT * FROM saas.usage_events WHERE event_id % 53 = 0;
INSERT INTO saas.usage_events
SELECT 790000 + number, 'A-0042', 'api_calls', toString(184000 + number * 3500), toDateTime('2026-02-04 06:00:00', 'UTC') + number * 432000 FROM numbers(5);
CREATE TABLE treasury.published_rates (currency LowCardinality(String), published_on Date, per_eur Float64) ENGINE = MergeTree ORDER BY (currency, published_on);
INSERT INTO treasury.published_rates
SELECT currency, toDate('2026-01-05') + number * 7, round(base * (1 + (cityHash64(currency, number) % 100) / 10000), 4)
FROM (SELECT arrayJoin([('EUR', 1.0), ('USD', 1.08), ('GBP', 0.86), ('SEK', 11.2)]) AS pair, pair.1 AS currency, pair.2 AS base) AS c CROSS JOIN numbers(8) AS n;
