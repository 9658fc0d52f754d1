-- Vulnerabilities for the pipeline cve_enrichment, in a database of their own: the same rows every time, with dates that stand in them.

CREATE OR REPLACE TABLE vendor_codes
(
    vendor_code LowCardinality(String) COMMENT 'Code of the vendor in the feed',
    vendor String
)
ENGINE = MergeTree ORDER BY vendor_code
COMMENT 'Vendors by the code that the feed uses, kept by hand';

-- MS-001 is missing: nobody has entered it yet. MS-002 and MS-003 are there.
INSERT INTO vendor_codes
SELECT *
FROM values('vendor_code String, vendor String',
    ('AL-001', 'Alder Logic'), ('AL-002', 'Aldine Labs'), ('AM-001', 'Amberline'), ('BE-001', 'Beacon Edge'), ('BR-001', 'Brightmoor'),
    ('BR-002', 'Brannock Systems'), ('CA-001', 'Calder Networks'), ('CO-001', 'Copperleaf'), ('CR-001', 'Crestline Software'),
    ('DA-001', 'Darnley Data'), ('DU-001', 'Dunmore Devices'), ('EL-001', 'Elmswell'), ('FA-001', 'Fairholt'), ('FE-001', 'Fernbank Systems'),
    ('GR-001', 'Greywater'), ('HA-001', 'Hadleigh Storage'), ('HO-001', 'Hollin Cloud'), ('IV-001', 'Ivybridge'), ('KE-001', 'Kestrel Works'),
    ('KI-001', 'Kiln & Anvil'), ('LA-001', 'Lanternhouse'), ('LO-001', 'Lockridge'), ('MA-001', 'Marlow Mail'), ('MS-002', 'Mossgate Systems'),
    ('MS-003', 'Millstone Software'), ('NO-001', 'Norland Print'), ('OA-001', 'Oakhurst'), ('PE-001', 'Penhale'), ('QU-001', 'Quillon'),
    ('RE-001', 'Redfern Security'), ('SA-001', 'Saltmarsh'), ('SE-001', 'Selby Routers'), ('TH-001', 'Thornbury'), ('TI-001', 'Tidewell'),
    ('UP-001', 'Upland Apps'), ('VE-001', 'Verity Browser'), ('WA-001', 'Wadebridge'), ('YA-001', 'Yarrow IoT'));

CREATE OR REPLACE TABLE cve_feed
(
    cve_id String,
    revision UInt8 COMMENT 'Counts up with each change of the advisory',
    channel LowCardinality(String) COMMENT 'Who delivered the row: vendor, mirror or tracker',
    vendor_code LowCardinality(String) COMMENT 'vendor_codes.vendor_code',
    product String,
    score Float64 COMMENT 'CVSS base score',
    state LowCardinality(String) COMMENT 'published or rejected',
    published Date
)
ENGINE = MergeTree ORDER BY (cve_id, revision)
COMMENT 'Advisories as they are delivered, one row for each version and channel';

-- 30 of late 2025 and 230 of 2026, each in one to three versions; the last version of every twentieth comes over two channels, with the same values.
INSERT INTO cve_feed
SELECT
    cve_id,
    revision,
    channel,
    if(cve_id = 'CVE-2026-0007', 'MS-001', vendor_code) AS code,
    if(code = 'MS-001', 'Meadow Mail Gateway', concat(splitByChar(' ', vendor)[1], ' ', products[1 + cityHash64('product', cve_id) % length(products)])),
    round(multiIf(revision = 1, base, base + (cityHash64('rescored', cve_id) % 3) / 10), 1),
    if(h % 29 = 0, 'rejected', 'published'),
    first_published
FROM
(
    SELECT
        number AS n,
        cityHash64('advisory', n) AS h,
        if(n < 30, concat('CVE-2025-', toString(48100 + 7 * n)), concat('CVE-2026-', leftPad(toString(n - 29), 4, '0'))) AS cve_id,
        if(n < 30, toDate('2025-12-01') + n, toDate('2026-01-01') + intDiv(n - 30, 2)) AS first_published,
        3 + (cityHash64('score', n) % 66) / 10 AS base,
        ['Server', 'Gateway', 'Agent', 'Client', 'Console', 'Firmware', 'Connector', 'SDK'] AS products,
        cityHash64('vendor', n) % 38 AS vendor_number,
        if(cve_id = 'CVE-2026-0007', 2, 1 + h % 3) AS revisions
    FROM numbers(260)
) AS advisories
INNER JOIN (SELECT vendor_code, vendor, row_number() OVER (ORDER BY vendor_code) - 1 AS vendor_number FROM vendor_codes) AS vendors USING (vendor_number)
ARRAY JOIN arrayFlatten(arrayMap(r -> if(r = revisions AND n % 20 = 11, [(r, 'vendor'), (r, 'mirror')], [(r, 'vendor')]), range(1, revisions + 1))) AS delivered
ARRAY JOIN [delivered.1] AS revision, [delivered.2] AS channel
WHERE cve_id NOT IN ('CVE-2026-0142');

-- One advisory of which three channels deliver the latest version, each with other values: the mirror has the date on which the number was
-- reserved, the tracker has closed it as a duplicate. Only the vendor's row is right.
INSERT INTO cve_feed
SELECT *
FROM values('cve_id String, revision UInt8, channel String, vendor_code String, product String, score Float64, state String, published Date',
    ('CVE-2026-0142', 1, 'vendor', 'SE-001', 'Selby Firmware', 8.8, 'published', '2026-03-12'),
    ('CVE-2026-0142', 2, 'mirror', 'SE-001', 'Selby Firmware', 9.1, 'published', '2025-12-18'),
    ('CVE-2026-0142', 2, 'tracker', 'SE-001', 'Selby Firmware', 9.1, 'rejected', '2026-03-12'),
    ('CVE-2026-0142', 2, 'vendor', 'SE-001', 'Selby Firmware', 9.1, 'published', '2026-03-12'));
