CREATE DATABASE marketing;
CREATE TABLE marketing.campaigns (campaign_id UInt32, name String, channel LowCardinality(String)) ENGINE = MergeTree ORDER BY campaign_id;
INSERT INTO marketing.campaigns
SELECT 401 + number, concat(['Spring Brand', 'Loyalty', 'Outdoor', 'Podcast', 'Garden', 'Back Home'][1 + number % 6], ' ', ['Q1', 'Q2', 'Test', 'Plus'][1 + intDiv(number, 6)]), ['search', 'social', 'display', 'audio', 'newsletter', 'partner'][1 + number % 6]
FROM numbers(24);
CREATE TABLE marketing.clicks (click_id UInt64, user_id UInt32, campaign_id UInt32, clicked_at DateTime('UTC')) ENGINE = MergeTree ORDER BY click_id;
INSERT INTO marketing.clicks
SELECT 1000000 + number, 60000 + cityHash64(number, 'user') % 1500, 401 + cityHash64(number, 'camp') % 24, toDateTime('2026-06-01 00:00:00', 'UTC') + cityHash64(number, 'at') % 1987200 FROM numbers(4200);
CREATE TABLE marketing.conversions (conversion_id UInt32, user_id UInt32, amount Float64, converted_at DateTime('UTC')) ENGINE = MergeTree ORDER BY conversion_id;
INSERT INTO marketing.conversions
SELECT 7000 + number, 60000 + cityHash64(number, 'buyer') % 1500, round(12 + (cityHash64(number, 'amount') % 18000) / 100, 2), toDateTime('2026-06-05 00:00:00', 'UTC') + cityHash64(number, 'conv') % 1641600 FROM numbers(900);
INSERT INTO marketing.conversions
SELECT 8000 + number, 60000 + cityHash64(number, 'rich') % 1500, round(662.5 + number * 31.7, 2), toDateTime('2026-06-16 10:00:00', 'UTC') + number * 21000 FROM numbers(12);
CREATE TABLE pipelines.fraud_signals (user_id UInt32, signal LowCardinality(String), score UInt8, seen_on Date) ENGINE = MergeTree ORDER BY (user_id, signal);
INSERT INTO pipelines.fraud_signals
SELECT 60000 + cityHash64(number, 'bot') % 1500, ['datacenter ip', 'burst', 'headless'][1 + number % 3], 40 + cityHash64(number, 'score') % 60, toDate('2026-06-01') + number % 20 FROM numbers(160);
