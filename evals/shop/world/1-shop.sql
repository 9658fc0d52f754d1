-- A shop that sells in four currencies: customers, products, orders, payments, returns, visits and stock, January 2025 to September 2026.
-- Every value comes from a hash of its row, so the rows are the same on every machine.

CREATE DATABASE shop COMMENT 'A web shop: orders, payments, returns, visits, stock. Data up to the end of September 2026; all times are in UTC';

CREATE TABLE shop.customers
(
    id UInt32,
    name String,
    email String COMMENT 'Personal',
    country LowCardinality(String) COMMENT 'ISO 3166 code of the billing address',
    segment Enum8('consumer' = 1, 'business' = 2),
    signed_up Date,
    newsletter Nullable(Bool) COMMENT 'NULL: was never asked'
)
ENGINE = MergeTree ORDER BY id;

INSERT INTO shop.customers
SELECT
    number + 1 AS id,
    concat(['Anna', 'Bram', 'Chloé', 'Dario', 'Elif', 'Finn', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Kaja', 'Luca', 'Mira', 'Nils', 'Olga', 'Pavel'][1 + cityHash64('first', id) % 16], ' ',
        ['Aalto', 'Berg', 'Costa', 'Duarte', 'Eriksen', 'Fischer', 'Garcia', 'Hansen', 'Ito', 'Jansen', 'Keller', 'Larsen', 'Moreau', 'Novak', 'Okafor', 'Petrov', 'Quint', 'Rossi', 'Schmidt', 'Tanaka'][1 + cityHash64('last', id) % 20]) AS name,
    concat('c', toString(id), '@example.com') AS email,
    ['DE', 'DE', 'DE', 'FR', 'FR', 'GB', 'GB', 'US', 'US', 'SE', 'CH', 'NL'][1 + cityHash64('country', id) % 12] AS country,
    if(cityHash64('segment', id) % 10 < 2, 'business', 'consumer') AS segment,
    toDate('2025-01-01') + cityHash64('signed', id) % 600 AS signed_up,
    if(cityHash64('asked', id) % 5 = 0, NULL, cityHash64('news', id) % 3 = 0) AS newsletter
FROM numbers(2000);

CREATE TABLE shop.products
(
    id UInt32,
    sku String,
    name String,
    category LowCardinality(String),
    list_price Decimal(10, 2) COMMENT 'EUR, without tax',
    unit_cost Nullable(Decimal(10, 2)) COMMENT 'EUR; NULL where the supplier has not told',
    discontinued_on Nullable(Date)
)
ENGINE = MergeTree ORDER BY id
COMMENT 'What can be, or could once be, ordered';

INSERT INTO shop.products
SELECT
    number + 1 AS id,
    concat(upper(substring(category, 1, 2)), '-', leftPad(toString(id), 4, '0')) AS sku,
    concat(['Basic', 'Classic', 'Nordic', 'Urban', 'Alpine', 'Coastal'][1 + cityHash64('line', id) % 6], ' ',
        multiIf(category = 'kitchen', ['Pan', 'Kettle', 'Knife', 'Bowl'][1 + cityHash64('kind', id) % 4], category = 'garden', ['Spade', 'Hose', 'Planter', 'Rake'][1 + cityHash64('kind', id) % 4],
            category = 'office', ['Lamp', 'Chair', 'Shelf', 'Desk'][1 + cityHash64('kind', id) % 4], ['Towel', 'Mirror', 'Scale', 'Mat'][1 + cityHash64('kind', id) % 4]), ' ', toString(id)) AS name,
    ['kitchen', 'garden', 'office', 'bath'][1 + cityHash64('category', number) % 4] AS category,
    toDecimal64(5 + cityHash64('price', id) % 19000 / 100, 2) AS list_price,
    if(cityHash64('told', id) % 12 = 0, NULL, toDecimal64(toFloat64(list_price) * (0.35 + cityHash64('cost', id) % 30 / 100), 2)) AS unit_cost,
    if(cityHash64('gone', id) % 9 = 0, toDate('2026-01-01') + cityHash64('day', id) % 200, NULL) AS discontinued_on
FROM numbers(120);

CREATE TABLE shop.orders
(
    id UInt32,
    customer_id UInt32,
    ordered_at DateTime('UTC'),
    status Enum8('placed' = 1, 'paid' = 2, 'shipped' = 3, 'cancelled' = 4) COMMENT 'Where it has come to by now; what is placed only was never paid',
    currency LowCardinality(String) COMMENT 'EUR, GBP, USD or SEK; the prices of its lines are in it',
    channel LowCardinality(String),
    coupon Nullable(String)
)
ENGINE = MergeTree ORDER BY (ordered_at, id);

INSERT INTO shop.orders
SELECT
    number + 1 AS id,
    -- A third of the customers never orders, and some order often.
    1 + toUInt32(pow(cityHash64('who', id) % 1000000 / 1000000, 2) * 1340) AS customer_id,
    toDateTime('2025-01-02 00:00:00', 'UTC') + INTERVAL toUInt32(pow(number / 9000, 0.8) * 636 * 86400 + cityHash64('second', id) % 7200) SECOND AS ordered_at,
    multiIf(cityHash64('cancel', id) % 100 < 6, 'cancelled', cityHash64('unpaid', id) % 100 < 4, 'placed', ordered_at > '2026-09-27 00:00:00', 'paid', 'shipped') AS status,
    ['EUR', 'EUR', 'EUR', 'EUR', 'GBP', 'USD', 'USD', 'SEK'][1 + cityHash64('currency', customer_id) % 8] AS currency,
    ['web', 'web', 'web', 'app', 'app', 'phone'][1 + cityHash64('channel', id) % 6] AS channel,
    if(cityHash64('coupon', id) % 6 = 0, ['SPRING10', 'WELCOME', 'VIP20'][1 + cityHash64('which', id) % 3], NULL) AS coupon
FROM numbers(9000);

CREATE TABLE shop.order_lines
(
    order_id UInt32,
    line_no UInt8,
    product_id UInt32,
    quantity UInt16,
    unit_price Decimal(10, 2) COMMENT 'In the currency of the order, before the discount',
    discount_pct UInt8 COMMENT 'Percent off this line, 0 for none'
)
ENGINE = MergeTree ORDER BY (order_id, line_no)
COMMENT 'What was ordered. What a line comes to is quantity * unit_price * (1 - discount_pct / 100)';

INSERT INTO shop.order_lines
SELECT
    orders.id AS order_id,
    line AS line_no,
    1 + toUInt32(pow(cityHash64('product', order_id, line_no) % 100000 / 100000, 1.5) * 117) AS product_id,
    1 + if(cityHash64('many', order_id, line_no) % 5 = 0, cityHash64('q', order_id, line_no) % 6, 0) AS quantity,
    toDecimal64(toFloat64(products.list_price) * transform(orders.currency, ['EUR', 'GBP', 'USD', 'SEK'], [1., 0.88, 1.12, 11.5], 1.), 2) AS unit_price,
    if(coupon IS NULL, 0, transform(assumeNotNull(coupon), ['SPRING10', 'WELCOME', 'VIP20'], [10, 5, 20], 0)) AS discount_pct
FROM shop.orders AS orders
ARRAY JOIN range(1, 2 + cityHash64('lines', orders.id) % 4) AS line
INNER JOIN shop.products AS products ON products.id = 1 + toUInt32(pow(cityHash64('product', orders.id, line) % 100000 / 100000, 1.5) * 117);

CREATE TABLE shop.payments
(
    id UInt32,
    order_id UInt32,
    attempted_at DateTime('UTC'),
    method LowCardinality(String),
    status Enum8('failed' = 0, 'captured' = 1),
    amount Decimal(12, 2) COMMENT 'In the currency of the order'
)
ENGINE = MergeTree ORDER BY (order_id, attempted_at)
COMMENT 'Attempts to pay; an order may need several. At most one is captured';

INSERT INTO shop.payments
SELECT
    rowNumberInAllBlocks() + 1 AS id,
    order_id,
    ordered_at + INTERVAL (attempt * 90 + cityHash64('wait', order_id, attempt) % 60) SECOND AS attempted_at,
    ['card', 'card', 'paypal', 'invoice'][1 + cityHash64('method', order_id, attempt) % 4] AS method,
    if(attempt = attempts AND is_paid, 'captured', 'failed') AS status,
    total AS amount
FROM
(
    SELECT orders.id AS order_id, any(orders.ordered_at) AS ordered_at, any(orders.status IN ('paid', 'shipped')) AS is_paid,
        toDecimal64(sum(toFloat64(unit_price) * quantity * (1 - discount_pct / 100)), 2) AS total, 1 + (cityHash64('attempts', orders.id) % 9 = 0) + (cityHash64('attempts', orders.id) % 45 = 0) AS attempts
    FROM shop.orders AS orders INNER JOIN shop.order_lines AS lines ON lines.order_id = orders.id
    WHERE orders.status != 'cancelled'
    GROUP BY orders.id
    ORDER BY orders.id
)
ARRAY JOIN range(1, attempts + 1) AS attempt;

CREATE TABLE shop.returns
(
    id UInt32,
    order_id UInt32,
    line_no UInt8,
    quantity UInt16,
    returned_at DateTime('UTC'),
    reason Nullable(String)
)
ENGINE = MergeTree ORDER BY returned_at
COMMENT 'Goods that came back, by line of an order; a line may come back in parts';

INSERT INTO shop.returns
SELECT rowNumberInAllBlocks() + 1 AS id, *
FROM
(
    SELECT lines.order_id AS order_id, lines.line_no AS line_no, part_quantity AS quantity,
        orders.ordered_at + INTERVAL (5 + cityHash64('back', lines.order_id, lines.line_no, part) % 30) DAY AS returned_at,
        if(cityHash64('why', lines.order_id, part) % 4 = 0, NULL, ['broken', 'too small', 'not as shown', 'too late'][1 + cityHash64('reason', lines.order_id, part) % 4]) AS reason
    FROM shop.order_lines AS lines
    INNER JOIN shop.orders AS orders ON orders.id = lines.order_id
    ARRAY JOIN if(lines.quantity > 2, [1, 2], [1]) AS part, if(lines.quantity > 2, [1, 1], [1]) AS part_quantity
    WHERE orders.status = 'shipped' AND cityHash64('returned', lines.order_id, lines.line_no) % 100 < if(lines.product_id % 7 = 3, 24, 7)
    ORDER BY order_id, line_no, part
)
WHERE returned_at < '2026-10-01 00:00:00';

CREATE TABLE shop.exchange_rates
(
    currency LowCardinality(String),
    day Date,
    eur_per_unit Float64
)
ENGINE = MergeTree ORDER BY (currency, day)
COMMENT 'On working days only: at the weekend the rate of the Friday before holds. EUR itself is not in it';

INSERT INTO shop.exchange_rates
SELECT currency, day, round(base * (1 + 0.04 * sin(number / 40 + base * 10) + (cityHash64('rate', currency, day) % 100 - 50) / 10000), 5) AS eur_per_unit
FROM
(
    SELECT number, toDate('2024-12-20') + number AS day, tupleElement(pair, 1) AS currency, tupleElement(pair, 2) AS base
    FROM numbers(650)
    ARRAY JOIN [('GBP', 1.16), ('USD', 0.91), ('SEK', 0.088)] AS pair
)
WHERE toDayOfWeek(day) < 6;

CREATE TABLE shop.visits
(
    visitor_id UInt64 COMMENT 'A cookie',
    at DateTime('UTC'),
    event LowCardinality(String) COMMENT 'view, cart, checkout or purchase',
    product_id Nullable(UInt32) COMMENT 'Of views and carts',
    device LowCardinality(String)
)
ENGINE = MergeTree ORDER BY (visitor_id, at)
COMMENT 'What visitors of the web site did, September 2026';

INSERT INTO shop.visits
SELECT
    visitor_id,
    toDateTime('2026-09-01 00:00:00', 'UTC') + INTERVAL (cityHash64('start', visitor_id, visit) % (29 * 86400) + step * (20 + cityHash64('pace', visitor_id, visit, step) % 400)) SECOND AS at,
    ['view', 'view', 'cart', 'view', 'checkout', 'purchase'][step] AS event,
    if(event IN ('view', 'cart'), 1 + cityHash64('seen', visitor_id, visit, intDiv(step, 3)) % 120, NULL) AS product_id,
    if(visitor_id % 5 < 3, 'mobile', 'desktop') AS device
FROM
(
    SELECT number * 7919 + 13 AS visitor_id, visit, 1 + least(5, intDiv(cityHash64('depth', visitor_id, visit) % 100, if(visitor_id % 5 < 3, 17, 15))) AS steps
    FROM numbers(6000)
    ARRAY JOIN range(1, 2 + cityHash64('visits', number) % 3) AS visit
)
ARRAY JOIN range(1, steps + 1) AS step;

CREATE TABLE shop.stock_movements
(
    product_id UInt32,
    moved_at Date,
    delta Int32 COMMENT 'Pieces in (positive) or out (negative)',
    kind LowCardinality(String) COMMENT 'delivery, sale, return or correction'
)
ENGINE = MergeTree ORDER BY (product_id, moved_at)
COMMENT 'What there is of a product on a day is the sum of all its movements up to and including it';

INSERT INTO shop.stock_movements
SELECT id AS product_id, toDate('2025-01-01') + INTERVAL delivery * 45 DAY AS moved_at, toInt32(60 + cityHash64('in', id, delivery) % 80) AS delta, 'delivery' AS kind
FROM shop.products ARRAY JOIN range(0, 14) AS delivery WHERE cityHash64('skipped', id, delivery) % 11 > 0
UNION ALL
SELECT lines.product_id, toDate(orders.ordered_at), -toInt32(lines.quantity), 'sale' FROM shop.order_lines AS lines INNER JOIN shop.orders AS orders ON orders.id = lines.order_id WHERE orders.status IN ('paid', 'shipped')
UNION ALL
SELECT lines.product_id, toDate(returns.returned_at), toInt32(returns.quantity), 'return' FROM shop.returns AS returns INNER JOIN shop.order_lines AS lines ON lines.order_id = returns.order_id AND lines.line_no = returns.line_no
UNION ALL
SELECT id, toDate('2026-06-30'), toInt32(cityHash64('count', id) % 9) - 4, 'correction' FROM shop.products WHERE cityHash64('counted', id) % 3 = 0;
