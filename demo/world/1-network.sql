-- Metros, contributors, devices, links and the links' history: fixed lists, so that the stories have the same names under every seed.

CREATE TABLE dz_metros
(
    code LowCardinality(String) COMMENT 'Three-letter code of the metro; other tables refer to it as metro_code',
    name String COMMENT 'City',
    country LowCardinality(String) COMMENT 'ISO 3166 country code',
    region LowCardinality(String),
    latitude Float64 COMMENT 'Degrees north',
    longitude Float64 COMMENT 'Degrees east'
)
ENGINE = MergeTree ORDER BY code
COMMENT 'Cities in which the network has, or plans to have, devices';

INSERT INTO dz_metros
SELECT *
FROM values('code String, name String, country String, region String, latitude Float64, longitude Float64',
    ('ams', 'Amsterdam', 'NL', 'Europe', 52.37, 4.90), ('chi', 'Chicago', 'US', 'North America', 41.88, -87.63),
    ('dal', 'Dallas', 'US', 'North America', 32.78, -96.80), ('dub', 'Dublin', 'IE', 'Europe', 53.35, -6.26),
    ('dxb', 'Dubai', 'AE', 'Middle East', 25.20, 55.27), ('fra', 'Frankfurt', 'DE', 'Europe', 50.11, 8.68),
    ('hkg', 'Hong Kong', 'HK', 'Asia Pacific', 22.32, 114.17), ('lax', 'Los Angeles', 'US', 'North America', 34.05, -118.24),
    ('lon', 'London', 'GB', 'Europe', 51.51, -0.13), ('mad', 'Madrid', 'ES', 'Europe', 40.42, -3.70),
    ('mia', 'Miami', 'US', 'North America', 25.76, -80.19), ('mil', 'Milan', 'IT', 'Europe', 45.46, 9.19),
    ('nyc', 'New York', 'US', 'North America', 40.71, -74.01), ('osl', 'Oslo', 'NO', 'Europe', 59.91, 10.75),
    ('par', 'Paris', 'FR', 'Europe', 48.86, 2.35), ('sao', 'São Paulo', 'BR', 'South America', -23.55, -46.63),
    ('sea', 'Seattle', 'US', 'North America', 47.61, -122.33), ('sin', 'Singapore', 'SG', 'Asia Pacific', 1.35, 103.82),
    ('sto', 'Stockholm', 'SE', 'Europe', 59.33, 18.07), ('syd', 'Sydney', 'AU', 'Asia Pacific', -33.87, 151.21),
    ('tor', 'Toronto', 'CA', 'North America', 43.65, -79.38), ('tyo', 'Tokyo', 'JP', 'Asia Pacific', 35.68, 139.69),
    ('was', 'Washington', 'US', 'North America', 38.91, -77.04), ('waw', 'Warsaw', 'PL', 'Europe', 52.23, 21.01),
    ('zrh', 'Zurich', 'CH', 'Europe', 47.37, 8.54));

CREATE TABLE dz_contributors
(
    code LowCardinality(String),
    name String,
    joined_at Date
)
ENGINE = MergeTree ORDER BY code
COMMENT 'Companies that bring devices and links into the network';

INSERT INTO dz_contributors
SELECT code, name, toDate({anchor:DateTime('UTC')}) - days
FROM values('code String, name String, days UInt16',
    ('arcwave', 'Arcwave Networks', 640), ('bluepier', 'Bluepier Telecom', 615), ('corvid', 'Corvid Fibre', 610),
    ('drumlin', 'Drumlin Carrier', 540), ('eastgate', 'Eastgate Exchange', 502), ('fathom', 'Fathom Subsea', 488),
    ('gridline', 'Gridline Systems', 366), ('highmoor', 'Highmoor Connect', 203), ('ironvale', 'Ironvale Labs', 12));

CREATE TABLE dz_devices
(
    code LowCardinality(String) COMMENT 'Name of the device: <metro>-dz<number>',
    metro_code LowCardinality(String) COMMENT 'dz_metros.code',
    contributor_code LowCardinality(String) COMMENT 'dz_contributors.code',
    device_type LowCardinality(String),
    status LowCardinality(String) COMMENT 'pending, activated, suspended, deleted, rejected or drained; only activated devices are in service',
    public_ip String,
    max_users UInt16 COMMENT 'How many user tunnels the device can end',
    created_at DateTime('UTC')
)
ENGINE = MergeTree ORDER BY code
COMMENT 'Switches and routers of the network, current state';

-- Frankfurt has five devices; London, New York and Tokyo tie with three; Oslo has none.
INSERT INTO dz_devices
SELECT
    concat(metro, '-dz', leftPad(toString(n), 2, '0')) AS code,
    metro,
    owners[1 + (n - 1) % length(owners)],
    if(n = 1, 'hybrid', if(n % 2 = 0, 'edge', 'transit')),
    transform(code, ['fra-dz05', 'chi-dz02', 'dal-dz02', 'was-dz02', 'hkg-dz02'],
        ['pending', 'drained', 'suspended', 'deleted', 'rejected'], 'activated') AS status,
    concat('203.0.113.', toString(1 + rank * 5 + n)),
    if(n = 1, 128, 96),
    {anchor:DateTime('UTC')} - toIntervalDay(if(status = 'pending', 6, 100 + cityHash64({seed:UInt32}, 'device', code) % 400)) - toIntervalHour(3)
FROM values('rank UInt8, metro String, devices UInt8, owners Array(String)',
    (0, 'ams', 2, ['bluepier', 'corvid']), (1, 'chi', 2, ['arcwave', 'gridline']), (2, 'dal', 2, ['arcwave', 'gridline']),
    (3, 'dub', 1, ['bluepier']), (4, 'dxb', 1, ['eastgate']), (5, 'fra', 5, ['corvid', 'drumlin', 'corvid', 'highmoor']),
    (6, 'hkg', 2, ['eastgate']), (7, 'lax', 2, ['arcwave', 'fathom']), (8, 'lon', 3, ['bluepier', 'arcwave', 'fathom']),
    (9, 'mad', 1, ['highmoor']), (10, 'mia', 1, ['gridline']), (11, 'mil', 1, ['highmoor']), (12, 'nyc', 3, ['arcwave', 'gridline', 'fathom']),
    (13, 'par', 2, ['arcwave', 'highmoor']), (14, 'sao', 1, ['fathom']), (15, 'sea', 1, ['gridline']), (16, 'sin', 2, ['eastgate', 'fathom']),
    (17, 'sto', 1, ['drumlin']), (18, 'syd', 1, ['fathom']), (19, 'tor', 1, ['gridline']), (20, 'tyo', 3, ['fathom', 'eastgate', 'fathom']),
    (21, 'was', 2, ['arcwave', 'gridline']), (22, 'waw', 1, ['drumlin']), (23, 'zrh', 1, ['corvid'])) AS listed
ARRAY JOIN range(1, devices + 1) AS n;

CREATE TABLE dz_links
(
    code LowCardinality(String) COMMENT 'Name of the link: <device on side A>:<device on side Z>',
    contributor_code LowCardinality(String) COMMENT 'dz_contributors.code',
    side_a_device LowCardinality(String) COMMENT 'dz_devices.code',
    side_z_device LowCardinality(String) COMMENT 'dz_devices.code',
    link_type LowCardinality(String) COMMENT 'wan between metros, metro inside one',
    status LowCardinality(String) COMMENT 'pending, activated, suspended, deleted, rejected, or drained: taken out of service on purpose, which is no fault',
    bandwidth_bps UInt64 COMMENT 'Capacity of each direction, in bits per second; links are full duplex',
    committed_rtt_us Nullable(UInt32) COMMENT 'Round trip that the contributor promised, in microseconds; NULL where nothing was promised',
    mtu UInt16,
    created_at DateTime('UTC')
)
ENGINE = MergeTree ORDER BY code
COMMENT 'Links between devices, current state';

INSERT INTO dz_links
SELECT
    concat(a, ':', z) AS link_code,
    contributor,
    splitByChar('/', ends)[1] AS a,
    splitByChar('/', ends)[2] AS z,
    if(left(a, 3) = left(z, 3), 'metro', 'wan') AS link_type,
    link_status,
    gigabits * 1000000000,
    if(contributor IN ('gridline', 'highmoor') OR link_type = 'metro', NULL, 1000 + toUInt32(intDiv(toUInt64(round(
        greatCircleDistance(metro_a.longitude, metro_a.latitude, metro_z.longitude, metro_z.latitude) / 10000)) * 100 * 135, 100))),
    if(gigabits = 10, 2048, 9000),
    {anchor:DateTime('UTC')} - toIntervalDay(if(link_status = 'pending', 4, 60 + cityHash64({seed:UInt32}, 'link', link_code) % 240)) - toIntervalHour(5)
FROM values('ends String, contributor String, gigabits UInt64, link_status String',
    ('ams-dz01/fra-dz01', 'corvid', 100, 'activated'), ('ams-dz01/lon-dz01', 'bluepier', 100, 'activated'),
    ('ams-dz02/dub-dz01', 'bluepier', 10, 'drained'), ('sto-dz01/ams-dz01', 'drumlin', 40, 'activated'),
    ('dub-dz01/lon-dz02', 'bluepier', 10, 'activated'), ('fra-dz01/par-dz01', 'corvid', 100, 'activated'),
    ('fra-dz02/waw-dz01', 'drumlin', 10, 'activated'), ('zrh-dz01/fra-dz03', 'corvid', 100, 'activated'),
    ('fra-dz02/sto-dz01', 'drumlin', 10, 'activated'), ('fra-dz04/mil-dz01', 'highmoor', 10, 'activated'),
    ('lon-dz01/par-dz01', 'arcwave', 100, 'activated'), ('lon-dz01/nyc-dz01', 'fathom', 100, 'activated'),
    ('par-dz02/mad-dz01', 'highmoor', 10, 'activated'), ('mad-dz01/mil-dz01', 'highmoor', 10, 'activated'),
    ('mil-dz01/zrh-dz01', 'highmoor', 10, 'activated'), ('waw-dz01/sto-dz01', 'drumlin', 10, 'activated'),
    ('fra-dz01/dxb-dz01', 'eastgate', 10, 'activated'), ('dxb-dz01/sin-dz01', 'eastgate', 10, 'activated'),
    ('nyc-dz01/was-dz01', 'arcwave', 100, 'activated'), ('nyc-dz01/chi-dz01', 'arcwave', 100, 'activated'),
    ('nyc-dz02/tor-dz01', 'gridline', 10, 'activated'), ('chi-dz01/tor-dz01', 'gridline', 10, 'activated'),
    ('chi-dz01/dal-dz01', 'arcwave', 100, 'activated'), ('chi-dz01/sea-dz01', 'gridline', 10, 'activated'),
    ('dal-dz01/lax-dz01', 'arcwave', 100, 'activated'), ('dal-dz01/mia-dz01', 'gridline', 10, 'activated'),
    ('mia-dz01/was-dz01', 'gridline', 10, 'activated'), ('sea-dz01/lax-dz01', 'gridline', 40, 'activated'),
    ('mia-dz01/sao-dz01', 'fathom', 10, 'activated'), ('sao-dz01/nyc-dz03', 'fathom', 10, 'activated'),
    ('lax-dz01/tyo-dz01', 'fathom', 100, 'activated'), ('sea-dz01/tyo-dz02', 'fathom', 40, 'activated'),
    ('tyo-dz01/hkg-dz01', 'eastgate', 40, 'activated'), ('tyo-dz02/sin-dz01', 'eastgate', 40, 'activated'),
    ('hkg-dz01/sin-dz01', 'eastgate', 40, 'activated'), ('sin-dz02/syd-dz01', 'fathom', 10, 'activated'),
    ('syd-dz01/lax-dz02', 'fathom', 10, 'activated'), ('tyo-dz03/syd-dz01', 'fathom', 10, 'activated'),
    ('lon-dz02/fra-dz02', 'corvid', 100, 'activated'), ('nyc-dz02/par-dz02', 'fathom', 40, 'activated'),
    ('dub-dz01/nyc-dz03', 'fathom', 10, 'activated'), ('was-dz01/lon-dz03', 'fathom', 40, 'activated'),
    ('mil-dz01/dxb-dz01', 'eastgate', 10, 'activated'), ('par-dz01/zrh-dz01', 'corvid', 40, 'activated'),
    ('hkg-dz01/sin-dz02', 'eastgate', 10, 'drained'), ('chi-dz01/chi-dz02', 'gridline', 100, 'drained'),
    ('dxb-dz01/hkg-dz01', 'eastgate', 10, 'suspended'), ('fra-dz05/waw-dz01', 'corvid', 40, 'pending'),
    ('tor-dz01/sea-dz01', 'gridline', 10, 'pending'), ('sao-dz01/mad-dz01', 'fathom', 10, 'rejected'),
    ('was-dz02/nyc-dz02', 'gridline', 10, 'deleted'),
    ('ams-dz01/ams-dz02', 'bluepier', 100, 'activated'), ('fra-dz01/fra-dz02', 'corvid', 100, 'activated'),
    ('fra-dz02/fra-dz03', 'corvid', 100, 'activated'), ('fra-dz03/fra-dz04', 'corvid', 100, 'activated'),
    ('lax-dz01/lax-dz02', 'arcwave', 100, 'activated'), ('lon-dz01/lon-dz02', 'arcwave', 100, 'activated'),
    ('lon-dz02/lon-dz03', 'fathom', 100, 'activated'), ('nyc-dz01/nyc-dz02', 'arcwave', 100, 'activated'),
    ('nyc-dz02/nyc-dz03', 'arcwave', 100, 'activated'), ('par-dz01/par-dz02', 'arcwave', 100, 'activated'),
    ('sin-dz01/sin-dz02', 'fathom', 100, 'activated'), ('tyo-dz01/tyo-dz02', 'fathom', 100, 'activated'),
    ('tyo-dz02/tyo-dz03', 'fathom', 100, 'activated')) AS listed
INNER JOIN dz_metros AS metro_a ON metro_a.code = left(ends, 3)
INNER JOIN dz_metros AS metro_z ON metro_z.code = substring(ends, 10, 3);

CREATE TABLE dz_link_history
(
    link_code LowCardinality(String) COMMENT 'dz_links.code',
    changed_at DateTime64(3, 'UTC'),
    old_status LowCardinality(Nullable(String)) COMMENT 'NULL for the row that records the creation',
    new_status LowCardinality(String),
    changed_by LowCardinality(String),
    reason Nullable(String)
)
ENGINE = MergeTree ORDER BY (link_code, changed_at)
COMMENT 'Every change of a link''s status: drains, returns to service, suspensions';

INSERT INTO dz_link_history
SELECT
    code,
    toDateTime64({anchor:DateTime('UTC')}, 3, 'UTC') - toIntervalMillisecond(change.1 * 1000 - cityHash64({seed:UInt32}, 'change', code, change.1) % 1000),
    if(change.2 = '', NULL, change.2),
    change.3,
    if(change.3 = 'pending', contributor_code, 'noc'),
    nullIf(change.4, '')
FROM
(
    SELECT
        code, contributor_code, status,
        toInt64(dateDiff('second', created_at, {anchor:DateTime('UTC')})) AS created,
        cityHash64({seed:UInt32}, 'maintenance', code) AS h,
        -- (age in seconds, old status, new status, reason); ages keep clear of the two hours after each whole day before the anchor
        arrayConcat(
            [(created, '', 'pending', '')],
            if(status IN ('pending', 'rejected'), [], [(created - 7200, 'pending', 'activated', '')]),
            if(h % 3 = 0 AND link_type = 'wan' AND status = 'activated' AND code != 'lon-dz01:nyc-dz01',
                [(toInt64((8 + h % 45) * 86400 + 64800), 'activated', 'drained', 'planned maintenance'),
                 (toInt64((8 + h % 45) * 86400 + 64800 - 9000 - h % 7200), 'drained', 'activated', 'maintenance done')], []),
            multiIf(
                code = 'lon-dz01:nyc-dz01', [(toInt64(189000), 'activated', 'drained', 'packet loss, interface errors on nyc-dz01'),
                                             (toInt64(176400), 'drained', 'activated', 'optic replaced on nyc-dz01, clean for an hour')],
                code = 'ams-dz02:dub-dz01', [(toInt64(104400), 'activated', 'drained', 'planned: fibre moved to a new duct, back next week')],
                code = 'hkg-dz01:sin-dz02', [(toInt64(1000800), 'activated', 'drained', 'contract ends')],
                code = 'chi-dz01:chi-dz02', [(toInt64(525600), 'activated', 'drained', 'chi-dz02 is being replaced')],
                status = 'suspended', [(toInt64(1872000), 'activated', 'suspended', 'payment overdue')],
                status = 'deleted', [(toInt64(2836800), 'activated', 'deleted', '')],
                status = 'rejected', [(created - 7200, 'pending', 'rejected', 'capacity too small')],
                [])) AS changes
    FROM dz_links
)
ARRAY JOIN changes AS change;
