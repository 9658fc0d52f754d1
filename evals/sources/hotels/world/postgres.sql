-- The booking system and the back office of the hotels in clickhouse.sql. Bills come from the same hashes as the records there, with planted differences.
CREATE FUNCTION pg_temp.h(a bigint, s int) RETURNS bigint IMMUTABLE LANGUAGE sql AS
  'SELECT (((a * 48271 + s * 69621 + 7) % 2147483647) * ((a * 48271 + s * 69621 + 7) % 2147483647) % 2147483647 * 16807 + a * 48271 + s) % 2147483647';
CREATE FUNCTION pg_temp.city(b int) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT (ARRAY[''lis'',''opo'',''mad'',''bcn'',''svq'',''vlc'',''sdr''])[1 + (b - 1) / 6]';
CREATE FUNCTION pg_temp.rooms(b int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT (24 + pg_temp.h(b, 208) % 4 * 12)::int';
CREATE FUNCTION pg_temp.room(k int) RETURNS int IMMUTABLE LANGUAGE sql AS 'SELECT (1 + k / 12) * 100 + 1 + k % 12';
CREATE TEMP TABLE hotel_numbers AS SELECT b::int AS b, (row_number() OVER (ORDER BY b) - 1)::int AS at FROM generate_series(1, 38) AS b WHERE b NOT IN (9, 23, 31);

CREATE SCHEMA booking;
COMMENT ON SCHEMA booking IS 'The booking system. Reservations made up to and including 30 June 2026, charges up to the same day';

CREATE TABLE booking.hotels (
  id integer PRIMARY KEY,
  code text NOT NULL UNIQUE,
  brand text NOT NULL,
  stars integer NOT NULL,
  country char(2) NOT NULL,
  franchised boolean NOT NULL
);
COMMENT ON TABLE booking.hotels IS 'Hotels that guests can book. Houses for staff are not here';
COMMENT ON COLUMN booking.hotels.code IS 'City and number without a hyphen, in small letters: lis01 is the building LIS-01';
INSERT INTO booking.hotels
SELECT 100 + b, pg_temp.city(b) || '0' || (1 + (b - 1) % 6), (ARRAY['Azul','Casa Nova','Grand Tejo'])[1 + pg_temp.h(b, 231) % 3], (3 + pg_temp.h(b, 232) % 3)::int,
  CASE WHEN b <= 12 THEN 'PT' ELSE 'ES' END, b > 36 OR b IN (17, 28)
FROM hotel_numbers;

CREATE TABLE booking.rooms (
  hotel_id integer NOT NULL REFERENCES booking.hotels,
  room_no integer NOT NULL,
  category text NOT NULL,
  PRIMARY KEY (hotel_id, room_no)
);
COMMENT ON COLUMN booking.rooms.room_no IS 'Such as 204, without leading zeros';
COMMENT ON COLUMN booking.rooms.category IS 'standard, superior or suite';
INSERT INTO booking.rooms
SELECT 100 + b, pg_temp.room(k), (ARRAY['standard','standard','standard','superior','superior','suite'])[1 + pg_temp.h(b * 100 + k, 233) % 6]
FROM hotel_numbers CROSS JOIN LATERAL generate_series(0, pg_temp.rooms(b) - 1) AS k;

CREATE TABLE booking.guests (
  id integer PRIMARY KEY,
  name text NOT NULL,
  country char(2) NOT NULL,
  member_no integer UNIQUE,
  tier text
);
COMMENT ON COLUMN booking.guests.member_no IS 'Number in the loyalty programme, such as 10042. NULL for guests who are no members';
COMMENT ON COLUMN booking.guests.tier IS 'basic, silver or gold. NULL for guests who are no members';
INSERT INTO booking.guests
SELECT i, (ARRAY['Almeida','Blanc','Costa','Duarte','Esteve','Fischer','Garcia','Hughes','Iglesias','Jones','Kraus','Lopez'])[1 + pg_temp.h(i, 222) % 12] || ' ' || i,
  (ARRAY['PT','ES','ES','FR','DE','GB','US'])[1 + pg_temp.h(i, 223) % 7], CASE WHEN member THEN 10000 + i END,
  CASE WHEN member THEN CASE WHEN pg_temp.h(i, 224) % 100 < 15 THEN 'gold' WHEN pg_temp.h(i, 224) % 100 < 50 THEN 'silver' ELSE 'basic' END END
FROM (SELECT i::int AS i, pg_temp.h(i, 221) % 100 < 40 AS member FROM generate_series(1, 6000) AS i) AS made;

CREATE TABLE booking.reservations (
  ref text PRIMARY KEY,
  hotel_id integer NOT NULL REFERENCES booking.hotels,
  guest_id integer NOT NULL REFERENCES booking.guests,
  channel text NOT NULL,
  booked_at timestamptz NOT NULL,
  arrival date NOT NULL,
  departure date NOT NULL,
  room_no integer NOT NULL,
  nightly_rate numeric(8, 2) NOT NULL,
  status text NOT NULL
);
COMMENT ON COLUMN booking.reservations.ref IS 'Such as BK-000123';
COMMENT ON COLUMN booking.reservations.channel IS 'direct, portal, agency or corporate';
COMMENT ON COLUMN booking.reservations.status IS 'stayed once the guest has left, cancelled, no_show, or booked while the departure is still to come';
INSERT INTO booking.reservations
SELECT 'BK-' || lpad(n::text, 6, '0'), 100 + b, (1 + pg_temp.h(n, 206) % 6000)::int, CASE WHEN pg_temp.h(n, 207) % 100 < 35 THEN 'direct' WHEN pg_temp.h(n, 207) % 100 < 75 THEN 'portal' WHEN pg_temp.h(n, 207) % 100 < 90 THEN 'agency' ELSE 'corporate' END,
  least((arrival - (pg_temp.h(n, 211) % 90)::int)::timestamp + pg_temp.h(n, 212) % 80000 * interval '1 second', timestamp '2026-06-30 20:00:00') AT TIME ZONE 'UTC',
  arrival, departure, pg_temp.room((pg_temp.h(n, 209) % pg_temp.rooms(b))::int), (60 + pg_temp.h(n, 210) % 14000 / 100.0)::numeric(8, 2),
  CASE WHEN pg_temp.h(n, 205) % 100 < 11 THEN 'cancelled' WHEN departure > '2026-06-30' THEN 'booked' WHEN pg_temp.h(n, 205) % 100 < 14 THEN 'no_show' ELSE 'stayed' END
FROM (SELECT n, arrival, arrival + (1 + pg_temp.h(n, 204) % 6)::int AS departure, least(pg_temp.h(n, 201) % 35, pg_temp.h(n, 202) % 35) AS at
  FROM (SELECT n::int AS n, date '2026-01-01' + (pg_temp.h(n, 203) % 190)::int AS arrival FROM generate_series(1, 14000) AS n) AS dated) AS made JOIN hotel_numbers USING (at);

CREATE TEMP TABLE taken AS
SELECT r.ref, r.departure, sum((ARRAY[2.5, 4.5, 9, 5, 3.5, 3])[1 + pg_temp.h(m, 463) % 6])::numeric(12, 2) AS amount
FROM generate_series(1, 9000) AS m JOIN booking.reservations AS r ON r.ref = 'BK-' || lpad((1 + pg_temp.h(m, 461) % 14000)::text, 6, '0') JOIN booking.hotels AS h ON h.id = r.hotel_id
WHERE r.status = 'stayed' AND NOT h.franchised GROUP BY 1, 2;

CREATE TABLE booking.charges (
  id integer PRIMARY KEY,
  ref text NOT NULL REFERENCES booking.reservations,
  kind text NOT NULL,
  amount numeric(10, 2) NOT NULL,
  charged_on date NOT NULL
);
COMMENT ON TABLE booking.charges IS 'What stands on the guests'' bills, in EUR. A refund is a row below zero';
COMMENT ON COLUMN booking.charges.kind IS 'room, breakfast, minibar, spa, parking or no_show_fee';
INSERT INTO booking.charges
SELECT row_number() OVER (ORDER BY ref, kind, amount DESC), ref, kind, amount, departure FROM (
  SELECT ref, 'room' AS kind, nightly_rate * (departure - arrival) AS amount, departure FROM booking.reservations WHERE status = 'stayed'
  UNION ALL SELECT ref, 'no_show_fee', nightly_rate, departure FROM booking.reservations WHERE status = 'no_show' AND channel <> 'corporate'
  UNION ALL SELECT ref, 'breakfast', 14.5 * (departure - arrival), departure FROM booking.reservations WHERE status = 'stayed' AND pg_temp.h(right(ref, 6)::int, 241) % 100 < 45
  UNION ALL SELECT ref, 'parking', 18 * (departure - arrival), departure FROM booking.reservations WHERE status = 'stayed' AND pg_temp.h(right(ref, 6)::int, 242) % 100 < 20
  UNION ALL SELECT ref, 'spa', 35 + pg_temp.h(right(ref, 6)::int, 243) % 90, departure FROM booking.reservations WHERE status = 'stayed' AND pg_temp.h(right(ref, 6)::int, 244) % 100 < 9
  UNION ALL SELECT ref, 'room', -nightly_rate, departure FROM booking.reservations WHERE status = 'stayed' AND pg_temp.h(right(ref, 6)::int, 245) % 100 < 3
  UNION ALL SELECT ref, 'minibar', amount + CASE WHEN pg_temp.h(right(ref, 6)::int, 246) % 100 < 6 THEN 5 ELSE 0 END, departure FROM taken WHERE pg_temp.h(right(ref, 6)::int, 247) % 100 >= 8
) AS made;

CREATE SCHEMA office;
COMMENT ON SCHEMA office IS 'The back office. Data of January to June 2026';

CREATE TABLE office.employees (
  id integer PRIMARY KEY,
  badge_no integer NOT NULL UNIQUE,
  name text NOT NULL,
  hotel_id integer,
  department text NOT NULL,
  hourly_rate numeric(6, 2) NOT NULL,
  hired_on date NOT NULL,
  left_on date
);
COMMENT ON COLUMN office.employees.badge_no IS 'Such as 123; the doors write B-00123';
COMMENT ON COLUMN office.employees.hotel_id IS 'Hotel of the booking system. NULL for the head office';
COMMENT ON COLUMN office.employees.department IS 'housekeeping, front desk, kitchen, technical or management';
COMMENT ON COLUMN office.employees.left_on IS 'Last day of work, NULL for those who are still here';
INSERT INTO office.employees
SELECT 7000 + e, 100 + e, (ARRAY['Ana','Bruno','Carla','Diego','Elena','Filipe','Gloria','Hugo','Ines','Joao'])[1 + pg_temp.h(e, 304) % 10] || ' ' || (ARRAY['Abreu','Bravo','Cunha','Dias','Faria','Gomes','Leal','Moura'])[1 + pg_temp.h(e, 305) % 8] || ' ' || e,
  CASE WHEN pg_temp.h(e, 303) % 100 >= 6 THEN 100 + b END,
  CASE WHEN pg_temp.h(e, 301) % 100 < 40 THEN 'housekeeping' WHEN pg_temp.h(e, 301) % 100 < 60 THEN 'front desk' WHEN pg_temp.h(e, 301) % 100 < 78 THEN 'kitchen' WHEN pg_temp.h(e, 301) % 100 < 90 THEN 'technical' ELSE 'management' END,
  (9 + pg_temp.h(e, 306) % 1600 / 100.0)::numeric(6, 2), date '2015-01-01' + (pg_temp.h(e, 307) % 4100)::int,
  CASE WHEN pg_temp.h(e, 308) % 100 < 12 THEN date '2026-01-15' + (pg_temp.h(e, 309) % 165)::int END
FROM (SELECT e::int AS e, (pg_temp.h(e, 302) % 35)::int AS at FROM generate_series(1, 900) AS e) AS made JOIN hotel_numbers USING (at);

CREATE TABLE office.timesheets (
  employee_id integer NOT NULL REFERENCES office.employees,
  month date NOT NULL,
  hours_worked numeric(6, 1) NOT NULL,
  hours_sick numeric(6, 1) NOT NULL,
  PRIMARY KEY (employee_id, month)
);
COMMENT ON COLUMN office.timesheets.month IS 'First day of the month';
COMMENT ON COLUMN office.timesheets.hours_sick IS 'Hours of sick leave, which are paid like hours worked';
INSERT INTO office.timesheets
SELECT id, m::date, (90 + pg_temp.h(id * 10 + extract(month FROM m)::int, 311) % 800 / 10.0)::numeric(6, 1), CASE WHEN pg_temp.h(id * 10 + extract(month FROM m)::int, 312) % 100 < 18 THEN (8 + pg_temp.h(id * 10 + extract(month FROM m)::int, 313) % 5 * 8) ELSE 0 END
FROM office.employees CROSS JOIN generate_series(timestamp '2026-01-01', timestamp '2026-06-01', interval '1 month') AS m
WHERE left_on IS NULL OR left_on >= m;

CREATE TABLE office.utility_bills (
  id integer PRIMARY KEY,
  site text NOT NULL,
  month date NOT NULL,
  kind text NOT NULL,
  quantity numeric(12, 2) NOT NULL,
  amount numeric(12, 2) NOT NULL,
  state text NOT NULL
);
COMMENT ON COLUMN office.utility_bills.site IS 'The building as the supplier writes it, such as LIS 1 for LIS-01. HQ is the head office';
COMMENT ON COLUMN office.utility_bills.month IS 'First day of the month that is billed';
COMMENT ON COLUMN office.utility_bills.kind IS 'electricity (quantity in kWh) or water (quantity in cubic metres)';
COMMENT ON COLUMN office.utility_bills.state IS 'paid, open or disputed';
INSERT INTO office.utility_bills
SELECT row_number() OVER (ORDER BY month, kind, site), site, month, kind, quantity, round(quantity * CASE kind WHEN 'water' THEN 2.85 ELSE 0.19 END, 2) + 12,
  CASE WHEN pg_temp.h(r, 324) % 100 < 6 THEN 'disputed' WHEN month > '2026-05-01' OR pg_temp.h(r, 324) % 100 < 12 THEN 'open' ELSE 'paid' END
FROM (
  SELECT b * 1000 + extract(month FROM month)::int * 10 + CASE kind WHEN 'water' THEN 1 ELSE 0 END AS r, upper(pg_temp.city(b)) || ' ' || (1 + (b - 1) % 6) AS site, month, kind,
    round(used * CASE WHEN pg_temp.h(b * 1000 + extract(month FROM month)::int * 10 + CASE kind WHEN 'water' THEN 1 ELSE 0 END, 321) % 100 < 9 THEN 1.12 ELSE 1 END, 2) AS quantity
  FROM (
    SELECT b, date_trunc('month', date '2026-01-01' + d)::date AS month, kind, sum(CASE kind WHEN 'water' THEN (300 + pg_temp.h(b * 1000 + d, 403) % 1500) / 100.0 ELSE (12000 + pg_temp.h(b * 1000 + d, 401) % 40000) / 100.0 END) AS used
    FROM generate_series(1, 36) AS b CROSS JOIN generate_series(0, 180) AS d CROSS JOIN (VALUES ('electricity'), ('water')) AS kinds (kind)
    WHERE b NOT IN (17, 28) AND pg_temp.h(b * 1000 + d, 402) % 100 >= 2 GROUP BY 1, 2, 3
  ) AS metered WHERE pg_temp.h(b * 1000 + extract(month FROM month)::int * 10 + CASE kind WHEN 'water' THEN 1 ELSE 0 END, 322) % 100 >= 5
  UNION ALL SELECT extract(month FROM m)::int, 'HQ', m::date, kind, 900 + pg_temp.h(extract(month FROM m)::int, 323) % 500 FROM generate_series(timestamp '2026-01-01', timestamp '2026-06-01', interval '1 month') AS m CROSS JOIN (VALUES ('electricity'), ('water')) AS kinds (kind)
) AS made;

CREATE TABLE office.budgets (
  hotel_id integer NOT NULL,
  month date NOT NULL,
  kind text NOT NULL,
  amount numeric(12, 2) NOT NULL,
  PRIMARY KEY (hotel_id, month, kind)
);
COMMENT ON COLUMN office.budgets.hotel_id IS 'Hotel of the booking system. Franchised hotels have no budget here';
COMMENT ON COLUMN office.budgets.kind IS 'payroll (hours worked and sick times the hourly rate), utilities, or revenue (all charges of the month, as planned)';
INSERT INTO office.budgets
SELECT id, m::date, kind, CASE kind WHEN 'payroll' THEN 38000 + pg_temp.h(id * 10 + extract(month FROM m)::int, 331) % 24000 WHEN 'utilities' THEN 2200 + pg_temp.h(id * 10 + extract(month FROM m)::int, 332) % 900
  ELSE 15000 + pg_temp.h(id * 10 + extract(month FROM m)::int, 333) % 60000 END
FROM booking.hotels CROSS JOIN generate_series(timestamp '2026-01-01', timestamp '2026-06-01', interval '1 month') AS m CROSS JOIN (VALUES ('payroll'), ('utilities'), ('revenue')) AS kinds (kind)
WHERE NOT franchised;

CREATE TABLE office.commissions (
  id integer PRIMARY KEY,
  portal text NOT NULL,
  booking_no text,
  amount numeric(10, 2) NOT NULL,
  invoiced_on date NOT NULL,
  paid boolean NOT NULL
);
COMMENT ON TABLE office.commissions IS 'Commissions that booking portals ask for, a row for each reservation';
COMMENT ON COLUMN office.commissions.booking_no IS 'The reservation''s number without its letters: 000123 is BK-000123. NULL for the portal''s monthly fee';
INSERT INTO office.commissions
SELECT row_number() OVER (ORDER BY invoiced_on, portal, booking_no, copy), portal, booking_no, amount, invoiced_on, pg_temp.h(coalesce(booking_no, '1')::int * 3 + copy, 345) % 100 < 80 FROM (
  SELECT (ARRAY['Roomio','Staybay','TripHut'])[1 + pg_temp.h(n, 341) % 3] AS portal, lpad(n::text, 6, '0') AS booking_no,
    round(nightly_rate * (departure - arrival) * CASE WHEN pg_temp.h(n, 342) % 100 < 5 THEN 0.20 ELSE 0.15 END, 2) AS amount, least(departure + 2, date '2026-06-30') AS invoiced_on, copy
  FROM (SELECT *, right(ref, 6)::int AS n FROM booking.reservations WHERE channel = 'portal') AS r CROSS JOIN generate_series(1, 2) AS copy
  WHERE (status = 'stayed' AND pg_temp.h(n, 343) % 100 >= 4 OR status IN ('cancelled', 'no_show') AND departure < '2026-06-28' AND pg_temp.h(n, 343) % 100 < 9)
    AND (copy = 1 OR pg_temp.h(n, 344) % 100 < 2)
  UNION ALL SELECT p, NULL, 250, (m + interval '1 month' - interval '1 day')::date, 1 FROM unnest(ARRAY['Roomio','Staybay','TripHut']) AS p CROSS JOIN generate_series(timestamp '2026-01-01', timestamp '2026-06-01', interval '1 month') AS m
) AS made;
