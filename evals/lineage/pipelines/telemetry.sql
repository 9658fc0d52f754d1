CREATE DATABASE cold_chain;
CREATE TABLE cold_chain.readings (gateway_id LowCardinality(String), channel UInt8, at DateTime('UTC'), raw Nullable(Float64)) ENGINE = MergeTree ORDER BY (gateway_id, channel, at);
INSERT INTO cold_chain.readings
SELECT concat('G-0', toString(1 + intDiv(number, 720) % 8)) AS gateway_id, 1 + intDiv(number, 120) % 6 AS channel, toDateTime('2026-05-11 00:00:00', 'UTC') + (number % 120) * 2400 AS at,
       multiIf(cityHash64(number, 'bad') % 97 = 0, NULL, cityHash64(number, 'bad') % 97 = 1, -999, round(-20 + 24 * (intDiv(number, 120) % 2) + (cityHash64(number, 'raw') % 240) / 100 - 1.2, 2))
FROM numbers(5760);
CREATE TABLE cold_chain.mounts (gateway_id LowCardinality(String), channel UInt8, site LowCardinality(String), room String, mounted_at DateTime('UTC'), unmounted_at Nullable(DateTime('UTC'))) ENGINE = MergeTree ORDER BY (gateway_id, channel, mounted_at);
INSERT INTO cold_chain.mounts
SELECT concat('G-0', toString(1 + intDiv(number, 6))), 1 + number % 6, ['Bergen', 'Oslo', 'Trondheim', 'Bodø'][1 + intDiv(number, 12)], concat(if(number % 2 = 0, 'Freezer ', 'Chiller '), toString(1 + number % 12)), toDateTime('2025-06-01 00:00:00', 'UTC'), NULL
FROM numbers(48) WHERE number NOT IN (13, 16);
INSERT INTO cold_chain.mounts VALUES ('G-03', 2, 'Bergen', 'Chiller 20', '2025-06-01 00:00:00', '2026-05-12 08:00:00'), ('G-03', 2, 'Oslo', 'Chiller 2', '2026-05-12 08:00:00', NULL), ('G-03', 5, 'Oslo', 'Freezer 5', '2025-06-01 00:00:00', NULL);
OPTIMIZE TABLE cold_chain.mounts FINAL;
CREATE TABLE cold_chain.calibrations (gateway_id LowCardinality(String), channel UInt8, valid_from DateTime('UTC'), gain Float64, bias Float64, certificate String) ENGINE = MergeTree ORDER BY (gateway_id, channel, valid_from, certificate);
INSERT INTO cold_chain.calibrations
SELECT concat('G-0', toString(1 + intDiv(number, 6))), 1 + number % 6, toDateTime('2026-01-10 00:00:00', 'UTC') + (number % 5) * 86400, 1 + (cityHash64(number, 'gain') % 30) / 1000, round((cityHash64(number, 'bias') % 60) / 100 - 0.3, 2), concat('C26-', toString(300 + number))
FROM numbers(48) WHERE number % 7 != 3;
INSERT INTO cold_chain.calibrations
SELECT concat('G-0', toString(1 + intDiv(number, 6))), 1 + number % 6, toDateTime('2026-05-12 12:00:00', 'UTC'), 1 + (cityHash64(number, 'gain') % 30) / 1000, round((cityHash64(number, 'bias') % 60) / 100 - 0.25, 2), concat('C26-', toString(500 + number))
FROM numbers(48) WHERE number % 9 = 4;
OPTIMIZE TABLE cold_chain.calibrations FINAL;
CREATE TABLE cold_chain.limits (site LowCardinality(String), kind LowCardinality(String), max_celsius Float64) ENGINE = MergeTree ORDER BY (site, kind);
INSERT INTO cold_chain.limits SELECT site, kind, if(kind = 'Freezer', -16, 7) + if(site = 'Bodø', 1, 0) FROM (SELECT arrayJoin(['Bergen', 'Oslo', 'Trondheim', 'Bodø', 'Stavanger']) AS site) AS s CROSS JOIN (SELECT arrayJoin(['Freezer', 'Chiller']) AS kind) AS k;
