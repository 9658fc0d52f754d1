CREATE DATABASE acquiring;
CREATE TABLE pipelines.merchant_master (merchant_id String, name String, city LowCardinality(String), fee_percent Decimal(5, 2)) ENGINE = MergeTree ORDER BY merchant_id;
INSERT INTO pipelines.merchant_master
SELECT concat('M-', toString(100 + number)), concat(['Corner', 'Harbour', 'Station', 'Old Town', 'Park'][1 + number % 5], ' ', ['Bakery', 'Vending', 'Books', 'Hardware', 'Florist', 'Pharmacy', 'Cycles', 'Café'][1 + intDiv(number, 5)]), ['Graz', 'Linz', 'Wels', 'Steyr'][1 + cityHash64(number, 'city') % 4], toDecimal32(1.2 + (cityHash64(number, 'fee') % 9) / 10, 2)
FROM numbers(40);
CREATE TABLE acquiring.card_sales (sale_id UInt64, merchant_id String, sold_at DateTime('UTC'), amount Decimal(9, 2)) ENGINE = MergeTree ORDER BY sale_id;
INSERT INTO acquiring.card_sales
SELECT 5000000 + number, concat('M-', toString(100 + cityHash64(number, 'm') % 40)), toStartOfMinute(toDateTime('2026-07-06 06:00:00', 'UTC') + cityHash64(number, 't') % 576000), toDecimal64(2.5 + (cityHash64(number, 'a') % 14000) / 100, 2)
FROM numbers(3600);
INSERT INTO acquiring.card_sales
SELECT 5100000 + number, 'M-105', toStartOfMinute(toDateTime('2026-07-08 10:00:00', 'UTC') + cityHash64(number, 'v') % 7200), toDecimal64([2.5, 2.5, 3.0][1 + number % 3], 2) FROM numbers(160);
INSERT INTO acquiring.card_sales
SELECT 5200000 + number, 'M-112', toStartOfMinute(toDateTime('2026-07-09 08:00:00', 'UTC') + number * 1500), toDecimal64(50, 2) FROM numbers(14);
CREATE TABLE acquiring.wallet_sales (sale_id String, merchant_id String, sold_at DateTime('UTC'), amount Decimal(9, 2)) ENGINE = MergeTree ORDER BY sale_id;
INSERT INTO acquiring.wallet_sales
SELECT concat('W', toString(number)), concat('M-', toString(100 + cityHash64(number, 'wm') % 40)), toStartOfMinute(toDateTime('2026-07-06 06:00:00', 'UTC') + cityHash64(number, 'wt') % 576000), toDecimal64(2.5 + (cityHash64(number, 'wa') % 6000) / 100, 2)
FROM numbers(1400);
CREATE TABLE acquiring.chargebacks (chargeback_id UInt32, merchant_id String, booked_on Date, amount Decimal(9, 2)) ENGINE = MergeTree ORDER BY chargeback_id;
INSERT INTO acquiring.chargebacks
SELECT 100 + number, concat('M-', toString(100 + cityHash64(number, 'cm') % 42)), toDate('2026-07-06') + number % 7, toDecimal64(10 + (cityHash64(number, 'ca') % 6000) / 100, 2) FROM numbers(45);
CREATE TABLE acquiring.fixed_fees (from_amount Decimal(9, 2), to_amount Decimal(9, 2), fee Decimal(5, 2)) ENGINE = MergeTree ORDER BY from_amount;
INSERT INTO acquiring.fixed_fees VALUES (0, 10, 0.05), (10, 50, 0.12), (50, 100, 0.2), (100, 100000, 0.25);
