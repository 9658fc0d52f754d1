-- The world of sql-guard-columns.jsonl: database hr is current, the scope is people, teams, _log and the view roster; secrets is out of reach.
-- The partition key of people has a private column, which its virtual columns show.
-- Private are people.email, people.phone, people.extra, people.address, people.contact.value, _log.pin, badges.🔑, badges.doc, badges.dyn, and mail_domain, which is computed from one.
CREATE DATABASE hr;
CREATE TABLE hr.people (id UInt32, name String, email Nullable(String), phone String, country LowCardinality(String), tags Array(String), secrets Array(String), extra Map(String, String), address Tuple(street String, city String), contact Nested(kind String, value String), mail_domain String ALIAS splitByChar('@', assumeNotNull(email))[2], initial String ALIAS substring(name, 1, 1)) ENGINE = ReplacingMergeTree PARTITION BY (country, phone) ORDER BY id;
INSERT INTO hr.people VALUES (1, 'Ada', 'ada@corp.example', '555-0001', 'DE', ['vip'], ['a'], map('k', 'v'), ('Main St', 'Ulm'), ['mobile'], ['555-0002']), (2, 'Bob', NULL, '555-0003', 'FR', [], [], map(), ('Rue', 'Lyon'), [], []);
CREATE TABLE hr.teams (id UInt32, name String, lead_id UInt32, email String) ENGINE = MergeTree ORDER BY id;
INSERT INTO hr.teams VALUES (1, 'one', 1, 'one@lists.example'), (2, 'two', 2, 'two@lists.example');
CREATE VIEW hr.roster AS SELECT id, name, concat(substring(name, 1, 1), '…') AS masked, lower(name) AS email FROM hr.people;
CREATE TABLE hr._log (id UInt32, _source String, pin String) ENGINE = MergeTree PARTITION BY pin ORDER BY id;
INSERT INTO hr._log VALUES (1, 'door', '4711');
CREATE TABLE hr.badges (id UInt32, note String, `🔑` String, doc JSON, dyn Dynamic, open JSON) ENGINE = MergeTree ORDER BY id;
INSERT INTO hr.badges VALUES (1, 'front', '4711', '{"pin":4711}', 4711, '{"door":"front"}');
CREATE TABLE hr.secrets (k String) ENGINE = MergeTree ORDER BY k;
INSERT INTO hr.secrets VALUES ('x');
