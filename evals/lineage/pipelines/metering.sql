CREATE DATABASE meter_hub;
CREATE TABLE meter_hub.meters (meter_id UInt32, household_id String, multiplier UInt8, concentrator LowCardinality(String)) ENGINE = MergeTree ORDER BY meter_id;
INSERT INTO meter_hub.meters
SELECT 44000 + number, concat('H-', leftPad(toString(1 + number % 130), 4, '0')), if(number % 41 = 7, 10, 1), concat('K', toString(1 + intDiv(number, 15))) FROM numbers(140);
CREATE TABLE meter_hub.households (household_id String, street String, tariff LowCardinality(String)) ENGINE = MergeTree ORDER BY household_id;
INSERT INTO meter_hub.households
SELECT concat('H-', leftPad(toString(1 + number), 4, '0')), concat(['Mill Lane', 'Birch Road', 'Quay Street', 'High Street'][1 + number % 4], ' ', toString(1 + intDiv(number, 4))), ['basic', 'basic', 'green', 'night'][1 + cityHash64(number, 'tariff') % 4] FROM numbers(130);
CREATE TABLE meter_hub.tariffs (tariff LowCardinality(String), cents_per_kwh Decimal(6, 2)) ENGINE = MergeTree ORDER BY tariff;
INSERT INTO meter_hub.tariffs VALUES ('basic', 31.4), ('green', 33.9), ('night', 27.25), ('heat', 24);
CREATE TABLE meter_hub.register_reads (meter_id UInt32, read_on Date, register_kwh UInt32) ENGINE = MergeTree ORDER BY (meter_id, read_on);
INSERT INTO meter_hub.register_reads
SELECT 44000 + meter, toDate('2026-04-30') + day, toUInt32(10000 + cityHash64(meter, 'base') % 60000 + day * (5 + cityHash64(meter, 'use') % 12) + cityHash64(meter, day, 'jitter') % 4)
FROM (SELECT number AS meter FROM numbers(140)) AS m CROSS JOIN (SELECT number AS day FROM numbers(32)) AS d
WHERE NOT (cityHash64(meter, day, 'gap') % 45 = 0 AND day BETWEEN 1 AND 30);
CREATE TABLE pipelines.register_corrections (ticket UInt32, meter_id UInt32, read_on Date, delta_kwh Int32, status LowCardinality(String)) ENGINE = MergeTree ORDER BY (ticket);
INSERT INTO pipelines.register_corrections
SELECT 600 + number, 44000 + number * 9, toDate('2026-05-03') + number % 24, toInt32(cityHash64(number, 'delta') % 9) - 4, if(number % 4 = 0, 'draft', 'approved') FROM numbers(15);
