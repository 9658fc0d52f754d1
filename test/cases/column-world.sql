-- The world of sql-guard-columns.jsonl: database hr is current, the scope is people, teams and the view roster; secrets is out of reach.
-- Private are people.email, people.phone, people.extra, people.address, people.contact.value, and mail_domain, which is computed from one.
CREATE DATABASE hr;
CREATE TABLE hr.people (id UInt32, name String, email Nullable(String), phone String, country LowCardinality(String), tags Array(String), secrets Array(String), extra Map(String, String), address Tuple(street String, city String), contact Nested(kind String, value String), mail_domain String ALIAS splitByChar('@', assumeNotNull(email))[2], initial String ALIAS substring(name, 1, 1)) ENGINE = ReplacingMergeTree ORDER BY id;
INSERT INTO hr.people VALUES (1, 'Ada', 'ada@corp.example', '555-0001', 'DE', ['vip'], ['a'], map('k', 'v'), ('Main St', 'Ulm'), ['mobile'], ['555-0002']), (2, 'Bob', NULL, '555-0003', 'FR', [], [], map(), ('Rue', 'Lyon'), [], []);
CREATE TABLE hr.teams (id UInt32, name String, lead_id UInt32, email String) ENGINE = MergeTree ORDER BY id;
INSERT INTO hr.teams VALUES (1, 'one', 1, 'one@lists.example'), (2, 'two', 2, 'two@lists.example');
CREATE VIEW hr.roster AS SELECT id, name, concat(substring(name, 1, 1), '…') AS masked, lower(name) AS email FROM hr.people;
CREATE TABLE hr.secrets (k String) ENGINE = MergeTree ORDER BY k;
INSERT INTO hr.secrets VALUES ('x');
