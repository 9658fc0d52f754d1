-- Finance of the operator in clickhouse.sql. Cards and invoices come from the same hashes as the sessions there, with planted differences.
CREATE SCHEMA finance;
COMMENT ON SCHEMA finance IS 'Customers, invoices, leases and costs. Data up to and including 31 August 2026, and the invoices for August, which were issued in September';
CREATE FUNCTION pg_temp.h(a bigint, s int) RETURNS bigint IMMUTABLE LANGUAGE sql AS
  'SELECT (((a * 48271 + s * 69621 + 7) % 2147483647) * ((a * 48271 + s * 69621 + 7) % 2147483647) % 2147483647 * 16807 + a * 48271 + s) % 2147483647';

CREATE TABLE finance.customers (
  id integer PRIMARY KEY,
  name text NOT NULL,
  country char(2) NOT NULL,
  segment text NOT NULL,
  since date NOT NULL
);
COMMENT ON COLUMN finance.customers.segment IS 'private, business or fleet';
INSERT INTO finance.customers
SELECT i, (ARRAY['Adler','Bakker','Conrad','Dahl','Egger','Fink','Gruber','Holm','Ivens','Jensen','Keller','Lund'])[1 + pg_temp.h(i, 101) % 12] || ' ' || i,
  (ARRAY['DE','DE','DE','AT','NL','DK'])[1 + pg_temp.h(i, 54) % 6],
  CASE WHEN pg_temp.h(i, 102) % 100 < 8 THEN 'fleet' WHEN pg_temp.h(i, 102) % 100 < 30 THEN 'business' ELSE 'private' END,
  date '2019-01-01' + (pg_temp.h(i, 103) % 2600)::int
FROM generate_series(1, 2000) AS i WHERE i % 20 <> 7;

CREATE TABLE finance.cards (
  card_no varchar(6) PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES finance.customers,
  issued_on date NOT NULL,
  blocked_on date
);
COMMENT ON TABLE finance.cards IS 'Charging cards of our own customers; those of roaming partners are not here. A customer may have several';
COMMENT ON COLUMN finance.cards.card_no IS 'Six digits, without a prefix';
INSERT INTO finance.cards
SELECT lpad(c::text, 6, '0'), customer, date '2022-01-01' + (pg_temp.h(c, 112) % 1200)::int,
  CASE WHEN pg_temp.h(c, 113) % 100 < 4 THEN date '2026-05-10' + (pg_temp.h(c, 114) % 100)::int END
FROM (SELECT c, (1 + pg_temp.h(c, 111) % 1800)::int AS customer FROM generate_series(1, 3300) AS c) AS made
WHERE customer % 20 <> 7 AND pg_temp.h(c, 110) % 100 < 84;

CREATE TEMP TABLE used AS
SELECT customer_id, date_trunc('month', timestamp '2026-05-01' + pg_temp.h(n, 25) % (123 * 86400) * interval '1 second')::date AS month,
  sum((3000 + pg_temp.h(n, 27) % 47000) / 1000.0)::numeric(12, 3) AS kwh
FROM generate_series(1, 24000) AS n
JOIN finance.cards ON card_no = lpad((1 + least(pg_temp.h(n, 23) % 3000, pg_temp.h(n, 24) % 3000))::text, 6, '0')
WHERE pg_temp.h(n, 22) % 100 < 78 AND pg_temp.h(n, 28) % 100 < 88
GROUP BY 1, 2;

CREATE TABLE finance.invoices (
  id integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES finance.customers,
  month date NOT NULL,
  energy_kwh numeric(12, 3) NOT NULL,
  net numeric(12, 2) NOT NULL,
  tax numeric(12, 2) NOT NULL,
  status text NOT NULL,
  issued_at timestamptz NOT NULL,
  due_on date NOT NULL
);
COMMENT ON COLUMN finance.invoices.month IS 'First day of the month that is billed';
COMMENT ON COLUMN finance.invoices.energy_kwh IS 'Billed energy';
COMMENT ON COLUMN finance.invoices.status IS 'open, paid or void. A void invoice does not count';
INSERT INTO finance.invoices
SELECT id, customer_id, month, kwh, net, round(net * 0.19, 2), CASE WHEN r % 100 < 3 THEN 'void' WHEN r % 100 < 22 THEN 'open' ELSE 'paid' END, issued_at, issued_at::date + 14
FROM (SELECT *, round(kwh * 0.45, 2) + 4.9 AS net, pg_temp.h(id, 123) AS r, (month + interval '1 month' + pg_temp.h(id, 124) % 200000 * interval '1 second') AT TIME ZONE 'UTC' AS issued_at
  FROM (SELECT (20000 + row_number() OVER (ORDER BY month, customer_id))::int AS id, * FROM (
    SELECT customer_id, month, CASE WHEN pg_temp.h(customer_id * 10 + extract(month FROM month)::int, 121) % 100 < 6 THEN round(kwh * 1.15, 3)
      WHEN pg_temp.h(customer_id * 10 + extract(month FROM month)::int, 121) % 100 < 9 THEN kwh + 25 ELSE kwh END AS kwh
    FROM used WHERE pg_temp.h(customer_id * 10 + extract(month FROM month)::int, 122) % 100 >= 5
    UNION ALL
    SELECT c.id, m.month::date, 10 FROM finance.customers AS c CROSS JOIN generate_series(date '2026-05-01', date '2026-08-01', interval '1 month') AS m (month)
    WHERE pg_temp.h(c.id * 10 + extract(month FROM m.month)::int, 125) % 100 < 4
      AND NOT EXISTS (SELECT FROM used AS u WHERE u.customer_id = c.id AND u.month = m.month)) AS billed) AS numbered) AS priced;

CREATE TABLE finance.payments (
  id integer PRIMARY KEY,
  invoice_id integer REFERENCES finance.invoices,
  amount numeric(12, 2) NOT NULL,
  received_on date NOT NULL
);
COMMENT ON TABLE finance.payments IS 'Money received for invoices, some in two parts';
COMMENT ON COLUMN finance.payments.invoice_id IS 'NULL while the money is not assigned';
INSERT INTO finance.payments
SELECT row_number() OVER (ORDER BY i.id, part), CASE WHEN pg_temp.h(i.id, 134) % 100 < 2 THEN NULL ELSE i.id END,
  CASE WHEN pg_temp.h(i.id, 131) % 100 >= 9 THEN net + tax WHEN part = 1 THEN round((net + tax) / 2, 2) ELSE net + tax - round((net + tax) / 2, 2) END,
  least(issued_at::date + (3 + pg_temp.h(i.id * 2 + part, 132) % 20)::int, date '2026-08-31')
FROM finance.invoices AS i CROSS JOIN generate_series(1, 2) AS part
WHERE status = 'paid' AND month < '2026-08-01' AND part <= CASE WHEN pg_temp.h(i.id, 131) % 100 < 9 THEN 2 ELSE 1 END;

CREATE TABLE finance.leases (
  id integer PRIMARY KEY,
  site_no integer NOT NULL,
  landlord text NOT NULL,
  monthly_rent numeric(10, 2) NOT NULL,
  valid_from date NOT NULL,
  valid_to date
);
COMMENT ON TABLE finance.leases IS 'What we rent for our sites. A site may have several leases at a time';
COMMENT ON COLUMN finance.leases.site_no IS 'Number of the site, without the country: 42 is the site DE-0042';
COMMENT ON COLUMN finance.leases.valid_to IS 'Last day, NULL if open-ended';
INSERT INTO finance.leases
SELECT i, (1 + pg_temp.h(i, 141) % 185)::int, (ARRAY['Stadtwerke','Immo Nord','Aldenhof','Parking BV','DSB Ejendomme','Rail Estates'])[1 + pg_temp.h(i, 142) % 6],
  (200 + pg_temp.h(i, 143) % 180000 / 100.0)::numeric(10, 2), date '2020-01-01' + (pg_temp.h(i, 144) % 2200)::int,
  CASE WHEN pg_temp.h(i, 145) % 100 < 35 THEN date '2025-10-15' + (pg_temp.h(i, 146) % 700)::int END
FROM generate_series(1, 260) AS i;

CREATE TABLE finance.vendors (code text PRIMARY KEY, name text NOT NULL, hourly_rate numeric(8, 2), contract_until date);
COMMENT ON TABLE finance.vendors IS 'Makers of stations with a service contract';
INSERT INTO finance.vendors VALUES ('alp', 'Alpitec GmbH', 92.50, '2027-12-31'), ('abb', 'Abbot Charging AG', 104.00, '2026-10-31'),
  ('kem', 'Kemper Power', 88.00, '2026-06-30'), ('wal', 'Wallner Boxes', 75.00, '2027-03-31'), ('efa', 'Efacon SA', NULL, NULL);

CREATE TABLE finance.costs (
  id integer PRIMARY KEY,
  booked_on date NOT NULL,
  kind text NOT NULL,
  reference text,
  amount numeric(12, 2) NOT NULL
);
COMMENT ON COLUMN finance.costs.kind IS 'marketing, maintenance or grid';
COMMENT ON COLUMN finance.costs.reference IS 'marketing: code of the campaign in small letters; maintenance: number of the station; grid: number of the site. NULL for overhead';
INSERT INTO finance.costs
SELECT i, date '2026-05-01' + (pg_temp.h(i, 151) % 123)::int, kind,
  CASE WHEN pg_temp.h(i, 153) % 100 < 8 THEN NULL WHEN kind = 'grid' THEN (1 + pg_temp.h(i, 154) % 165)::text WHEN kind = 'maintenance' THEN (1001 + pg_temp.h(i, 155) % 650)::text
    ELSE (ARRAY['spring','summer','fleet','refer','night','alps','winter'])[1 + pg_temp.h(i, 156) % 7] || CASE WHEN pg_temp.h(i, 157) % 100 < 25 THEN '25' ELSE '26' END END,
  (CASE kind WHEN 'grid' THEN 300 ELSE 60 END + pg_temp.h(i, 158) % 90000 / 100.0)::numeric(12, 2)
FROM (SELECT i, (ARRAY['grid','grid','grid','maintenance','maintenance','marketing'])[1 + pg_temp.h(i, 152) % 6] AS kind FROM generate_series(1, 1500) AS i) AS made;
