CREATE DATABASE parcels;
CREATE TABLE parcels.consignments (parcel_id String, depot LowCardinality(String), service LowCardinality(String), customer_ref String) ENGINE = MergeTree ORDER BY parcel_id;
INSERT INTO parcels.consignments
SELECT concat('LX', leftPad(toString(number), 6, '0')), ['Turku', 'Tampere', 'Oulu', 'Gävle', 'Halifax', 'Porto'][1 + cityHash64(number, 'depot') % 6],
       ['standard', 'standard', 'express'][1 + cityHash64(number, 'service') % 3], concat('R', toString(cityHash64(number, 'ref') % 100000))
FROM numbers(1600);
CREATE TABLE parcels.scans (parcel_id String, depot LowCardinality(String), event LowCardinality(String), local_time DateTime('UTC')) ENGINE = MergeTree ORDER BY (parcel_id, event);
INSERT INTO parcels.scans
WITH toDateTime('2026-04-06 05:00:00', 'UTC') + intDiv(cityHash64(number, 'start') % 1814400, 60) * 60 AS picked,
     ['Turku', 'Tampere', 'Oulu', 'Gävle', 'Halifax', 'Porto'] AS depots, 1 + cityHash64(number, 'depot') % 6 AS home,
     map('Turku', 180, 'Tampere', 180, 'Oulu', 180, 'Gävle', 120, 'Halifax', -180, 'Porto', 60) AS shift,
     (picked, picked + 3600 * (2 + cityHash64(number, 'h1') % 7), picked + 3600 * (10 + cityHash64(number, 'h2') % 9), picked + 3600 * (20 + cityHash64(number, 'h3') % if(cityHash64(number, 'service') % 3 = 2, 6, 40))) AS utc
SELECT concat('LX', leftPad(toString(number), 6, '0')), if(event = 'delivered' AND cityHash64(number, 'away') % 3 = 0, depots[1 + cityHash64(number, 'to') % 6], depots[home]) AS place, event,
       arrayElement([utc.1, utc.2, utc.3, utc.4], step) + shift[place] * 60
FROM numbers(1600) ARRAY JOIN ['picked_up', 'hub_in', 'hub_out', 'delivered'] AS event, [1, 2, 3, 4] AS step
WHERE NOT (event = 'delivered' AND cityHash64(number, 'lost') % 60 = 0) AND NOT (event = 'hub_out' AND cityHash64(number, 'miss') % 25 = 0);
CREATE TABLE parcels.service_levels (service LowCardinality(String), promised_hours UInt16) ENGINE = MergeTree ORDER BY service;
INSERT INTO parcels.service_levels VALUES ('standard', 48), ('express', 26), ('same_day', 12);
CREATE TABLE pipelines.depot_offsets (depot LowCardinality(String), country LowCardinality(String), utc_offset_minutes Int16, since Date) ENGINE = MergeTree ORDER BY (depot, since);
INSERT INTO pipelines.depot_offsets VALUES ('Turku', 'FI', 180, '2026-03-29'), ('Tampere', 'FI', 180, '2026-03-29'), ('Oulu', 'FI', 180, '2026-03-29'), ('Gävle', 'SE', 120, '2026-03-29'), ('Halifax', 'CA', -180, '2026-03-08'), ('Porto', 'PT', 60, '2026-03-29'), ('Turku', 'FI', 120, '2025-10-26'), ('Tampere', 'FI', 120, '2025-10-26'), ('Oulu', 'FI', 120, '2025-10-26');
