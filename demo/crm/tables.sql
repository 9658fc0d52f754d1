-- The customers of the network: who has which account, what they pay, and what they complain about. rows.sql fills the tables.

CREATE SCHEMA shop;

CREATE TABLE shop.customers (
  id integer PRIMARY KEY,
  name text NOT NULL,
  segment text NOT NULL,
  country text NOT NULL,
  email text NOT NULL,
  since date NOT NULL
);
COMMENT ON TABLE shop.customers IS 'Companies with accounts on the network, and some that have none yet';
COMMENT ON COLUMN shop.customers.segment IS 'validator, operator or prospect';
COMMENT ON COLUMN shop.customers.country IS 'ISO 3166 country code';

CREATE TABLE shop.contracts (
  id integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES shop.customers,
  account text UNIQUE,
  product text NOT NULL,
  weekly_fee numeric(10, 2),
  price_per_gb numeric(8, 4),
  daily_minimum numeric(8, 2),
  signed_on date NOT NULL,
  ended_on date
);
COMMENT ON TABLE shop.contracts IS 'What customers have bought: one contract for each account on the network';
COMMENT ON COLUMN shop.contracts.account IS 'The account''s pubkey on the network; NULL until the customer has one';
COMMENT ON COLUMN shop.contracts.product IS 'tunnel: a flat fee a week; feed: multicast, paid by what the account receives, by day; publishing: a flat fee a week';
COMMENT ON COLUMN shop.contracts.price_per_gb IS 'USD for a gigabyte (1,000,000,000 bytes) received; feeds only';
COMMENT ON COLUMN shop.contracts.daily_minimum IS 'USD that a feed costs a day at least';
COMMENT ON COLUMN shop.contracts.ended_on IS 'NULL while the contract runs';

CREATE TABLE shop.invoices (
  id integer PRIMARY KEY,
  contract_id integer NOT NULL REFERENCES shop.contracts,
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  billed_gb numeric(12, 3),
  amount numeric(12, 2) NOT NULL,
  paid_on date,
  UNIQUE (contract_id, period_end)
);
COMMENT ON TABLE shop.invoices IS 'One invoice for each contract and period: a day for feeds, a week for the rest';
COMMENT ON COLUMN shop.invoices.period_end IS 'The latest period of a feed is the last 24 hours of the network''s measurements: period_end = (SELECT max(period_end) FROM shop.invoices)';
COMMENT ON COLUMN shop.invoices.billed_gb IS 'Gigabytes (1,000,000,000 bytes) that the invoice charges, with three decimals; NULL where the fee is flat';
COMMENT ON COLUMN shop.invoices.amount IS 'USD';
COMMENT ON COLUMN shop.invoices.paid_on IS 'NULL while it is open';
CREATE INDEX ON shop.invoices (period_end);

CREATE TABLE shop.tickets (
  id integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES shop.customers,
  link_code text,
  topic text NOT NULL,
  subject text NOT NULL,
  status text NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz
);
COMMENT ON TABLE shop.tickets IS 'What customers report and ask';
COMMENT ON COLUMN shop.tickets.link_code IS 'The link that the customer complains about, as the network names it; NULL for other topics';
COMMENT ON COLUMN shop.tickets.topic IS 'link, billing, access or question';
COMMENT ON COLUMN shop.tickets.status IS 'open or closed';
COMMENT ON COLUMN shop.tickets.opened_at IS 'Ages are told before the end of the data, (SELECT max(period_end) FROM shop.invoices)';
