-- The data of the guard's cases. The reader may read everything here, so that only the guard stands in between.
CREATE SCHEMA shop;
CREATE SCHEMA secret;
CREATE TYPE shop.order_status AS ENUM ('open', 'paid', 'shipped', 'cancelled');
CREATE DOMAIN shop.email_address AS text;
CREATE TYPE shop.address AS (street text, city text);
CREATE TYPE secret.grade AS ENUM ('junior', 'senior');
CREATE TABLE shop.customers (
  id int PRIMARY KEY, name text NOT NULL, email shop.email_address, country text, segment text, tags text[], profile jsonb,
  home shop.address, "creditLimit" numeric(12, 2), created_at timestamptz NOT NULL
);
CREATE TABLE shop.orders (
  id int PRIMARY KEY, customer_id int NOT NULL REFERENCES shop.customers, status shop.order_status NOT NULL, amount numeric(12, 2),
  ordered_at timestamptz NOT NULL, shipped_on date, note text
);
CREATE TABLE shop.products (id int PRIMARY KEY, name text, category text, price numeric(10, 2), weight double precision, attributes jsonb);
CREATE TABLE shop.items (order_id int REFERENCES shop.orders, product_id int REFERENCES shop.products, quantity int, price numeric(10, 2));
CREATE TABLE shop.events (id bigint, customer_id int, kind text, at timestamp NOT NULL, payload jsonb, valid tstzrange) PARTITION BY RANGE (at);
CREATE TABLE shop.events_2026 PARTITION OF shop.events FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE TABLE shop.employees (id int PRIMARY KEY, name text, manager_id int);
CREATE VIEW shop.revenue AS SELECT date_trunc('month', ordered_at) AS month, sum(amount) AS amount FROM shop.orders GROUP BY 1;
CREATE TABLE secret.payroll (employee_id int, salary numeric, grade secret.grade);
CREATE VIEW shop.payroll_view AS SELECT * FROM secret.payroll;

INSERT INTO shop.customers SELECT n, 'Customer ' || n, 'c' || n || '@example.com', CASE n % 3 WHEN 0 THEN 'DE' WHEN 1 THEN 'FR' ELSE NULL END,
  'smb', ARRAY['a', 'b'], '{"plan": {"name": "pro"}, "seats": 3}', ROW('Main St', 'Berlin')::shop.address, 100, timestamptz '2026-01-01' + n * interval '1 day'
  FROM generate_series(1, 20) n;
INSERT INTO shop.orders SELECT n, 1 + n % 20, (ARRAY['open', 'paid', 'shipped', 'cancelled'])[1 + n % 4]::shop.order_status, n * 1.5,
  timestamptz '2026-02-01' + n * interval '5 hours', date '2026-02-02' + n, 'note' FROM generate_series(1, 200) n;
INSERT INTO shop.products SELECT n, 'Product ' || n, 'cat' || n % 4, n * 2.5, n / 3.0, '{"color": "red", "sizes": [1, 2]}' FROM generate_series(1, 20) n;
INSERT INTO shop.items SELECT 1 + n % 200, 1 + n % 20, n % 5, n FROM generate_series(1, 400) n;
INSERT INTO shop.events SELECT n, 1 + n % 20, 'click', timestamp '2026-03-01' + n * interval '1 hour', '{"page": "/a", "ms": 12}',
  tstzrange('2026-01-01', '2026-02-01') FROM generate_series(1, 200) n;
INSERT INTO shop.employees VALUES (1, 'Ada', NULL), (2, 'Bob', 1), (3, 'Cid', 2);
INSERT INTO secret.payroll VALUES (1, 987654, 'senior');

CREATE FUNCTION shop.format_price(numeric) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1::text';
CREATE FUNCTION shop.top_salary() RETURNS numeric LANGUAGE sql STABLE SECURITY DEFINER AS 'SELECT max(salary) FROM secret.payroll';
CREATE FUNCTION shop.upper(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT (SELECT max(salary)::text FROM secret.payroll)';
CREATE FUNCTION shop.all_pay() RETURNS SETOF secret.payroll LANGUAGE sql STABLE AS 'SELECT * FROM secret.payroll';
CREATE FUNCTION shop.leak(shop.customers) RETURNS text LANGUAGE sql STABLE AS 'SELECT $1.email::text';
CREATE FUNCTION shop.same(text, text) RETURNS bool LANGUAGE sql STABLE AS 'SELECT (SELECT max(salary) > 1 FROM secret.payroll)';
CREATE OPERATOR shop.=== (FUNCTION = shop.same, LEFTARG = text, RIGHTARG = text);
CREATE FUNCTION shop.less(text, text) RETURNS bool LANGUAGE sql IMMUTABLE AS 'SELECT $1 < $2';
CREATE OPERATOR shop.<<< (FUNCTION = shop.less, LEFTARG = text, RIGHTARG = text);
CREATE AGGREGATE shop.collect (text) (SFUNC = textcat, STYPE = text);
CREATE FUNCTION shop.as_label(shop.address) RETURNS text LANGUAGE sql STABLE AS 'SELECT max(salary)::text FROM secret.payroll';
CREATE CAST (shop.address AS text) WITH FUNCTION shop.as_label(shop.address);
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE shop.remote (id int) SERVER nowhere;
CREATE SEQUENCE shop.order_numbers;
GRANT USAGE ON SCHEMA shop, secret TO clew_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shop, secret TO clew_reader;
GRANT ALL ON ALL SEQUENCES IN SCHEMA shop TO clew_reader;
ANALYZE;
