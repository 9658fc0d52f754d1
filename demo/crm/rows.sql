-- Fills the tables anew. All values come from hashes of keys, and all times are relative to the anchor. The settings demo.network (the rows of
-- network.sql), demo.links (codes of links) and demo.anchor come from the loader.
--
-- Planted: feeds that received nothing, traffic without a contract (every twelfth account that receives), two invoices that differ from what was
-- received, and a ticket that stands twice.

TRUNCATE shop.customers, shop.contracts, shop.invoices, shop.tickets;

CREATE FUNCTION pg_temp.hash(text) RETURNS integer LANGUAGE sql IMMUTABLE
  RETURN ('x' || substr(md5($1), 1, 7))::bit(28)::integer;
CREATE FUNCTION pg_temp.before(seconds bigint) RETURNS timestamptz LANGUAGE sql STABLE
  RETURN current_setting('demo.anchor')::timestamptz - seconds * interval '1 second';

CREATE TEMP TABLE accounts ON COMMIT DROP AS
SELECT account, kind, status, operator, age, publishes = 1 AS publishes, day_bytes, largest_group_bytes,
  -- Both accounts of an address belong to one customer.
  coalesce(address, account) AS owner,
  CASE WHEN day_bytes > 0 THEN row_number() OVER (PARTITION BY day_bytes > 0 ORDER BY account) END AS receiver
FROM jsonb_to_recordset(current_setting('demo.network')::jsonb)
  AS network (account text, kind text, status text, address text, operator text, age bigint, publishes integer, day_bytes numeric, largest_group_bytes numeric);

CREATE TEMP TABLE owners ON COMMIT DROP AS
SELECT 1000 + row_number() OVER (ORDER BY owner) AS id, owner, max(operator) AS operator, max(age) AS age, bool_or(status <> 'pending') AS has_joined
FROM accounts
GROUP BY owner;

INSERT INTO shop.customers (id, name, segment, country, email, since)
SELECT id,
  coalesce(operator, 'Operator ' || id) || (ARRAY[' Ltd', ' GmbH', ' Inc', ' AG', ' BV'])[1 + pg_temp.hash('form' || owner) % 5],
  CASE WHEN operator IS NOT NULL THEN 'validator' WHEN has_joined THEN 'operator' ELSE 'prospect' END,
  (ARRAY['US', 'DE', 'GB', 'SG', 'JP', 'FR', 'NL', 'CH', 'BR', 'AU'])[1 + pg_temp.hash('country' || owner) % 10],
  'office@customer-' || id || '.example',
  pg_temp.before(age + 86400 * (1 + pg_temp.hash('since' || owner) % 20))::date
FROM owners;

INSERT INTO shop.contracts (id, customer_id, account, product, weekly_fee, price_per_gb, daily_minimum, signed_on, ended_on)
WITH sold AS (
  SELECT owners.id AS customer_id, accounts.*, pg_temp.hash('contract' || account) AS h,
    CASE
      WHEN status = 'pending' THEN 'feed'
      WHEN kind = 'unicast' THEN 'tunnel'
      WHEN publishes THEN 'publishing'
      ELSE 'feed'
    END AS product
  FROM accounts
  JOIN owners USING (owner)
  WHERE receiver IS NULL OR receiver % 12 <> 5
)
SELECT 5000 + row_number() OVER (ORDER BY account), customer_id, account, product,
  CASE product WHEN 'tunnel' THEN 180 + h % 40 * 5 WHEN 'publishing' THEN 950 END,
  CASE product WHEN 'feed' THEN 0.0100 + h % 20 * 0.0010 END,
  CASE product WHEN 'feed' THEN 6 END,
  pg_temp.before(age + 86400 * (h % 5))::date,
  CASE WHEN status IN ('deleted', 'suspended') THEN pg_temp.before(0)::date END
FROM sold
-- Some prospects have signed already. Their feeds cost the minimum, and receive nothing yet.
WHERE status <> 'pending' OR h % 3 = 0;

-- Flat fees, by week.
INSERT INTO shop.invoices (id, contract_id, period_start, period_end, billed_gb, amount, paid_on)
SELECT 100000 + row_number() OVER (ORDER BY contracts.id, week), contracts.id,
  pg_temp.before(604800 * (week + 1) + 36000), pg_temp.before(604800 * week + 36000), NULL, weekly_fee,
  CASE WHEN week > 1 AND pg_temp.hash('paid' || contracts.id || '/' || week) % 100 < 96 THEN pg_temp.before(604800 * (week - 1))::date END
FROM shop.contracts
JOIN accounts USING (account)
CROSS JOIN LATERAL generate_series(0, age / 604800 - 1) AS week
WHERE weekly_fee IS NOT NULL;

-- Feeds, by day, for thirty days. Every day is like the last one.
INSERT INTO shop.invoices (id, contract_id, period_start, period_end, billed_gb, amount, paid_on)
WITH billed AS (
  SELECT contracts.id, price_per_gb, daily_minimum, day,
    round(CASE
      -- Only the larger of two groups was billed, to the customer who receives most.
      WHEN operator = 'Larch Orchard' THEN largest_group_bytes
      -- Two digits of the largest rate of one group were swapped on the last day.
      WHEN operator = 'Mossy Forge' AND day = 0 THEN day_bytes + 90000000000
      ELSE day_bytes
    END / 1000000000, 3) AS gb
  FROM shop.contracts
  JOIN accounts USING (account)
  CROSS JOIN LATERAL generate_series(0, least(29, age / 86400 - 1)) AS day
  WHERE product = 'feed'
)
SELECT 200000 + row_number() OVER (ORDER BY id, day), id, pg_temp.before(86400 * (day + 1)), pg_temp.before(86400 * day), gb,
  greatest(daily_minimum, round(gb * price_per_gb, 2)),
  CASE WHEN day > 13 THEN pg_temp.before(86400 * (day - 14))::date END
FROM billed;

-- Older than four days, and clear of the two hours after each whole number of days before the anchor.
INSERT INTO shop.tickets (id, customer_id, link_code, topic, subject, status, opened_at, closed_at)
WITH links AS (SELECT array_agg(code) AS codes FROM jsonb_array_elements_text(current_setting('demo.links')::jsonb) AS code),
customers AS (SELECT array_agg(id ORDER BY id) AS ids FROM shop.customers WHERE segment <> 'prospect'),
drawn AS (
  SELECT n, pg_temp.hash('ticket' || n) AS h, pg_temp.hash('link' || n) AS other, pg_temp.hash('age' || n) AS time
  FROM generate_series(1, 7500) AS n
), placed AS (
  SELECT n, h, other, 86400 * (4 + time % 380) + 7200 + pg_temp.hash('time' || n) % 64800 AS age,
    (ARRAY['link', 'link', 'billing', 'billing', 'access', 'question'])[1 + h % 6] AS topic
  FROM drawn
)
SELECT 10000 + n, ids[1 + other % cardinality(ids)], CASE topic WHEN 'link' THEN codes[1 + other / 7 % cardinality(codes)] END, topic,
  CASE topic
    WHEN 'link' THEN (ARRAY['High round trip', 'Packets are lost', 'Throughput is too low'])[1 + other % 3]
    WHEN 'billing' THEN (ARRAY['An invoice looks too high', 'Please change the address of invoices', 'A payment was counted twice'])[1 + other % 3]
    WHEN 'access' THEN (ARRAY['The tunnel does not come up', 'A new key for our account'])[1 + other % 2]
    ELSE (ARRAY['Which metros do you plan?', 'How do we join a group?'])[1 + other % 2]
  END,
  CASE WHEN other % 100 < 97 THEN 'closed' ELSE 'open' END,
  pg_temp.before(age),
  CASE WHEN other % 100 < 97 THEN pg_temp.before(age - 3600 - other % 172800) END
FROM placed, links, customers;

-- The last three days: the incident on lon-dz01:nyc-dz01, the planned drain of ams-dz02:dub-dz01, and the loss on tyo-dz02:sin-dz01, whose first
-- report was entered twice.
INSERT INTO shop.tickets (id, customer_id, link_code, topic, subject, status, opened_at, closed_at)
SELECT 18000 + n, owners.id, link, CASE WHEN link IS NULL THEN 'billing' ELSE 'link' END, subject,
  CASE WHEN closed IS NULL THEN 'open' ELSE 'closed' END, pg_temp.before(opened), pg_temp.before(closed)
FROM (VALUES
  (1, 'Willow Haven', 'lon-dz01:nyc-dz01', 'Packets are lost between London and New York', 192600, 171000),
  (2, 'Opal Forge', 'lon-dz01:nyc-dz01', 'Our votes from New York come late', 190500, 174600),
  (3, 'Marble Bridge', 'lon-dz01:nyc-dz01', 'Is the route over Paris planned?', 186900, 175200),
  (4, 'Larch Orchard', 'tyo-dz02:sin-dz01', 'Packets are lost from Tokyo to Singapore', 106500, NULL),
  (5, 'Larch Orchard', 'tyo-dz02:sin-dz01', 'Packets are lost from Tokyo to Singapore', 106380, NULL),
  (6, 'Mossy Forge', 'ams-dz02:dub-dz01', 'No traffic to Dublin over Amsterdam', 101700, 98100),
  (7, 'Mossy Forge', NULL, 'Yesterday''s invoice of our feed looks too high', 30900, NULL),
  (8, 'Sable Delta', 'tyo-dz02:sin-dz01', 'Five percent of our packets are lost', 22500, NULL)
) AS planted (n, operator, link, subject, opened, closed)
JOIN owners USING (operator);

ANALYZE shop.customers, shop.contracts, shop.invoices, shop.tickets;
