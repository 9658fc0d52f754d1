CREATE DATABASE shop;
CREATE TABLE shop.customers (customer_id UInt32, country LowCardinality(String), email_domain String, updated_at DateTime('UTC')) ENGINE = MergeTree ORDER BY (customer_id, updated_at, country);
INSERT INTO shop.customers
SELECT 2000 + number, ['DK', 'DK', 'SE', 'SE', 'NO', 'FI', 'NL', 'AT'][1 + cityHash64(number, 'country') % 8], concat('mail', toString(cityHash64(number, 'mail') % 40), '.example'),
       toDateTime('2025-01-01 08:00:00', 'UTC') + cityHash64(number, 'joined') % 34000000
FROM numbers(600)
UNION ALL
SELECT 2000 + number * 11, ['DK', 'SE', 'NO', 'FI'][1 + cityHash64(number, 'moved') % 4], concat('mail', toString(cityHash64(number, 'mail') % 40), '.example'),
       toDateTime('2026-02-02 03:10:00', 'UTC') + number * 977
FROM numbers(50);
CREATE TABLE shop.segments (customer_id UInt32, segment LowCardinality(String)) ENGINE = MergeTree ORDER BY customer_id;
INSERT INTO shop.segments
SELECT 2000 + number, multiIf(cityHash64(number, 'seg') % 20 = 0, 'staff', cityHash64(number, 'seg') % 5 = 0, 'business', 'consumer') FROM numbers(600) WHERE cityHash64(number, 'guest') % 8 > 0;
CREATE TABLE shop.orders (order_id UInt32, customer_id UInt32, placed_at DateTime('UTC'), status LowCardinality(String)) ENGINE = MergeTree ORDER BY order_id;
INSERT INTO shop.orders
SELECT 50001 + number, 2000 + cityHash64(number, 'who') % 600, toDateTime('2026-03-01 00:00:00', 'UTC') + cityHash64(number, 'when') % 2678400,
       multiIf(cityHash64(number, 'state') % 25 = 0, 'cancelled', cityHash64(number, 'state') % 25 = 1, 'pending', cityHash64(number, 'state') % 25 = 2, 'Completed', 'completed')
FROM numbers(3200);
CREATE TABLE shop.order_lines (order_id UInt32, line_no UInt8, sku String, quantity UInt16, unit_price Decimal(9, 2)) ENGINE = MergeTree ORDER BY (order_id, line_no);
INSERT INTO shop.order_lines
SELECT 50001 + number, line, concat('SKU-', toString(100 + cityHash64(number, line, 'sku') % 180)), 1 + cityHash64(number, line, 'q') % 3, toDecimal64(5 + (cityHash64(number, line, 'p') % 18000) / 100, 2)
FROM numbers(3200) ARRAY JOIN range(1, 2 + cityHash64(number, 'lines') % 4) AS line;
CREATE TABLE shop.refunds (refund_id UInt32, order_id UInt32, reason LowCardinality(String), amount Decimal(9, 2), refunded_at DateTime('UTC')) ENGINE = MergeTree ORDER BY refund_id;
INSERT INTO shop.refunds
SELECT 9001 + number, 50001 + number * 17, ['damaged', 'late', 'wrong item', 'other'][1 + cityHash64(number, 'why') % 4], toDecimal64(3 + (cityHash64(number, 'r') % 400) / 100, 2),
       toDateTime('2026-03-05 09:00:00', 'UTC') + number * 12000
FROM numbers(180);
INSERT INTO shop.refunds
SELECT 9301 + number, 50001 + number * 17 * 9, ['late', 'goodwill', 'goodwill', 'damaged'][1 + cityHash64(number, 'why') % 4], toDecimal64(2 + (cityHash64(number, 'r2') % 300) / 100, 2),
       toDateTime('2026-03-20 09:00:00', 'UTC') + number * 9000
FROM numbers(20);
