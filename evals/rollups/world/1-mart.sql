-- A chain of shops whose warehouse keeps rollups: states of aggregates, versions of rows, signs, a materialised view, a dictionary; January to September 2026.
-- Every value comes from a hash of its row, so the rows are the same on every machine. Rows of one key come in several inserts, so that they stand in several parts.

CREATE DATABASE mart COMMENT 'Sales of a chain of shops, 1 January to 30 September 2026; days are of Central Europe, amounts in EUR';

CREATE TABLE mart.stores
(
    id UInt16,
    name String,
    region_id UInt8,
    opened Date,
    closed Nullable(Date)
)
ENGINE = MergeTree ORDER BY id;

INSERT INTO mart.stores
SELECT number + 1 AS id, concat(['Nord', 'Hafen', 'Markt', 'Berg', 'See', 'Park', 'Tor', 'Bahnhof'][1 + number % 8], ' ', toString(id)) AS name, 1 + cityHash64('region', id) % 5 AS region_id,
    toDate('2015-03-01') + cityHash64('opened', id) % 3900 AS opened, if(cityHash64('closed', id) % 10 = 0, toDate('2026-04-01') + cityHash64('day', id) % 120, NULL) AS closed
FROM numbers(30);

CREATE TABLE mart.region_names (id UInt8, name String, manager String) ENGINE = MergeTree ORDER BY id;

INSERT INTO mart.region_names VALUES (1, 'North', 'Ada Holm'), (2, 'South', 'Ben Ortega'), (3, 'East', 'Cleo Wang'), (4, 'West', 'Dan Fell'), (5, 'Islands', 'Eva Lind');

CREATE DICTIONARY mart.regions (id UInt64, name String, manager String)
PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'region_names' DB 'mart')) LAYOUT(FLAT()) LIFETIME(0)
COMMENT 'Regions of the stores, by region_id';

CREATE TABLE mart.daily_sales
(
    day Date,
    store_id UInt16,
    product_group LowCardinality(String),
    receipts SimpleAggregateFunction(sum, UInt64) COMMENT 'How many receipts',
    revenue AggregateFunction(sum, Decimal(18, 2)) COMMENT 'EUR',
    buyers AggregateFunction(uniqExact, UInt64) COMMENT 'Customers with a card',
    basket AggregateFunction(avg, Float64) COMMENT 'EUR per receipt',
    waiting AggregateFunction(quantileExact(0.9), UInt32) COMMENT 'Seconds in the queue at the till, per receipt; 90th percentile'
)
ENGINE = AggregatingMergeTree ORDER BY (day, store_id, product_group)
COMMENT 'One row for each day, store and group of products, once it is merged; until then there are several';

INSERT INTO mart.daily_sales
SELECT toDate('2026-01-01') + intDiv(number, 400) % 273 AS day, 1 + cityHash64('store', number) % 30 AS store_id, ['food', 'drinks', 'household', 'toys'][1 + cityHash64('group', number) % 4] AS product_group,
    count(), sumState(toDecimal64(2 + cityHash64('amount', number) % 9000 / 100, 2)), uniqExactState(toUInt64(cityHash64('buyer', number) % 4000)), avgState(toFloat64(2 + cityHash64('amount', number) % 9000 / 100)), quantileExactState(0.9)(toUInt32(cityHash64('wait', number) % if(store_id = 7, 600, 300)))
FROM numbers(109200) WHERE number % 3 = 0 GROUP BY day, store_id, product_group;

INSERT INTO mart.daily_sales
SELECT toDate('2026-01-01') + intDiv(number, 400) % 273 AS day, 1 + cityHash64('store', number) % 30 AS store_id, ['food', 'drinks', 'household', 'toys'][1 + cityHash64('group', number) % 4] AS product_group,
    count(), sumState(toDecimal64(2 + cityHash64('amount', number) % 9000 / 100, 2)), uniqExactState(toUInt64(cityHash64('buyer', number) % 4000)), avgState(toFloat64(2 + cityHash64('amount', number) % 9000 / 100)), quantileExactState(0.9)(toUInt32(cityHash64('wait', number) % if(store_id = 7, 600, 300)))
FROM numbers(109200) WHERE number % 3 > 0 GROUP BY day, store_id, product_group;

CREATE TABLE mart.customers
(
    id UInt64,
    name String,
    city LowCardinality(String),
    tier Enum8('bronze' = 1, 'silver' = 2, 'gold' = 3),
    points Int32,
    updated_at DateTime('UTC'),
    is_deleted UInt8 COMMENT '1: asked to be forgotten'
)
ENGINE = ReplacingMergeTree(updated_at, is_deleted) ORDER BY id
COMMENT 'Holders of a card; each change is a new row';

SYSTEM STOP MERGES mart.customers;

INSERT INTO mart.customers
SELECT number AS id, concat('Customer ', toString(id)) AS name, ['Bergen', 'Lund', 'Turku', 'Odense', 'Kiel'][1 + cityHash64('city', id) % 5] AS city, ['bronze', 'bronze', 'bronze', 'silver'][1 + cityHash64('tier', id) % 4] AS tier,
    toInt32(cityHash64('points', id) % 500) AS points, toDateTime('2025-06-01 00:00:00', 'UTC') + cityHash64('joined', id) % 10000000 AS updated_at, 0 AS is_deleted
FROM numbers(4000);

INSERT INTO mart.customers
SELECT id, name, if(cityHash64('moved', id) % 9 = 0, ['Bergen', 'Lund', 'Turku', 'Odense', 'Kiel'][1 + cityHash64('new city', id) % 5], city) AS city, if(cityHash64('up', id) % 4 = 0, 'gold', if(cityHash64('up', id) % 4 = 1, 'silver', toString(tier))) AS tier,
    toInt32(points + cityHash64('more', id) % 800) AS points, updated_at + 2000000 + cityHash64('later', id) % 20000000 AS updated_at, 0 AS is_deleted
FROM mart.customers FINAL WHERE cityHash64('changed', id) % 2 = 0;

INSERT INTO mart.customers
SELECT id, '', city, tier, 0, updated_at + 100000 AS updated_at, 1 AS is_deleted FROM mart.customers FINAL WHERE cityHash64('forget', id) % 40 = 0;

CREATE TABLE mart.subscriptions
(
    customer_id UInt64,
    plan LowCardinality(String),
    monthly_eur Decimal(8, 2),
    started Date,
    sign Int8 COMMENT '1 states a row, -1 takes it back'
)
ENGINE = CollapsingMergeTree(sign) ORDER BY (customer_id, plan)
COMMENT 'Delivery plans that run now; a change of price or an end takes the earlier row back';

SYSTEM STOP MERGES mart.subscriptions;

INSERT INTO mart.subscriptions
SELECT number * 3 AS customer_id, ['basic', 'plus', 'family'][1 + cityHash64('plan', number) % 3] AS plan, [4.9, 9.9, 14.9][1 + cityHash64('plan', number) % 3] AS monthly_eur, toDate('2026-01-01') + cityHash64('begin', number) % 200 AS started, 1 FROM numbers(1200);

INSERT INTO mart.subscriptions
SELECT customer_id, plan, monthly_eur, started, -1 FROM mart.subscriptions WHERE cityHash64('change', customer_id) % 5 < 2;

INSERT INTO mart.subscriptions
SELECT customer_id, plan, monthly_eur + 1, started, 1 FROM mart.subscriptions WHERE sign = 1 AND cityHash64('change', customer_id) % 5 = 0;

CREATE TABLE mart.stock
(
    store_id UInt16,
    product_group LowCardinality(String),
    pieces Int64,
    value_eur Decimal(18, 2)
)
ENGINE = SummingMergeTree((pieces, value_eur)) ORDER BY (store_id, product_group)
COMMENT 'Goods on the shelves now: deliveries add to it, sales are booked as negative rows';

SYSTEM STOP MERGES mart.stock;

INSERT INTO mart.stock SELECT 1 + number % 30, ['food', 'drinks', 'household', 'toys'][1 + intDiv(number, 30) % 4], 400 + cityHash64('pieces', number) % 900, toDecimal64(2000 + cityHash64('value', number) % 7000, 2) FROM numbers(120);

INSERT INTO mart.stock SELECT 1 + number % 30, ['food', 'drinks', 'household', 'toys'][1 + intDiv(number, 30) % 4], -toInt64(cityHash64('sold', number) % 500), -toDecimal64(cityHash64('sold value', number) % 1900, 2) FROM numbers(120);

INSERT INTO mart.stock SELECT 1 + number % 30, ['food', 'drinks', 'household', 'toys'][1 + intDiv(number, 30) % 4], 100 + cityHash64('again', number) % 50, toDecimal64(300 + cityHash64('again value', number) % 90, 2) FROM numbers(60);

CREATE TABLE mart.list_prices
(
    article UInt32,
    article_name String,
    price Decimal(8, 2) COMMENT 'EUR',
    valid_from Date COMMENT 'Until the next one of the article'
)
ENGINE = MergeTree ORDER BY (article, valid_from);

INSERT INTO mart.list_prices
SELECT number + 1 AS article, concat('Article ', toString(article)) AS article_name, toDecimal64(1 + cityHash64('price', number, change) % 4000 / 100, 2) AS price, toDate('2025-12-01') + change * 60 + cityHash64('from', number, change) % 40 AS valid_from
FROM numbers(80) ARRAY JOIN range(0, 1 + cityHash64('changes', number) % 6) AS change;

CREATE TABLE mart.clicks
(
    at DateTime('UTC'),
    page LowCardinality(String),
    visitor UInt64
)
ENGINE = MergeTree ORDER BY at
COMMENT 'Clicks in the web site. Only September 2026 is kept here, older ones are in clicks_by_hour';

CREATE TABLE mart.clicks_by_hour
(
    hour DateTime('UTC'),
    page LowCardinality(String),
    clicks SimpleAggregateFunction(sum, UInt64),
    visitors AggregateFunction(uniqExact, UInt64)
)
ENGINE = AggregatingMergeTree ORDER BY (page, hour)
COMMENT 'Clicks of the whole year by hour and page, kept up to date by a materialised view';

CREATE MATERIALIZED VIEW mart.clicks_by_hour_mv TO mart.clicks_by_hour AS
SELECT toStartOfHour(at) AS hour, page, count() AS clicks, uniqExactState(visitor) AS visitors FROM mart.clicks GROUP BY hour, page;

SYSTEM STOP MERGES mart.clicks_by_hour;

INSERT INTO mart.clicks_by_hour
SELECT toStartOfHour(toDateTime('2026-01-01 00:00:00', 'UTC') + INTERVAL number * 100 SECOND) AS hour, ['home', 'offers', 'stores', 'recipes'][1 + cityHash64('page', number) % 4] AS page, count(), uniqExactState(toUInt64(cityHash64('visitor', number) % 9000))
FROM numbers(209952) WHERE number % 2 = 0 GROUP BY hour, page;

INSERT INTO mart.clicks_by_hour
SELECT toStartOfHour(toDateTime('2026-01-01 00:00:00', 'UTC') + INTERVAL number * 100 SECOND) AS hour, ['home', 'offers', 'stores', 'recipes'][1 + cityHash64('page', number) % 4] AS page, count(), uniqExactState(toUInt64(cityHash64('visitor', number) % 9000))
FROM numbers(209952) WHERE number % 2 = 1 GROUP BY hour, page;

INSERT INTO mart.clicks
SELECT toDateTime('2026-09-01 00:00:00', 'UTC') + INTERVAL number * 90 SECOND AS at, ['home', 'offers', 'stores', 'recipes'][1 + cityHash64('page now', number) % 4] AS page, cityHash64('visitor now', number) % 9000 AS visitor
FROM numbers(28800);
