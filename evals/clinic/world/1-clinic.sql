-- A group of outpatient clinics in three countries: sites, doctors and their contracts, prices, appointments, invoices, payments, lab results, waiting list.
-- Every value comes from a hash of its row, so the rows are the same on every machine. Data up to the end of August 2026.

CREATE DATABASE clinic COMMENT 'Outpatient clinics. Data up to and including 31 August 2026. Appointments after that day are in the book already';

CREATE TABLE clinic.sites
(
    id UInt16,
    name String,
    city LowCardinality(String),
    country LowCardinality(String),
    opened_on Date,
    closed_on Nullable(Date) COMMENT 'First day without patients'
)
ENGINE = MergeTree ORDER BY id;

INSERT INTO clinic.sites
SELECT
    number + 1 AS id,
    concat(city, ' ', ['Centre', 'North', 'South', 'Station', 'Park', 'University', 'Old Town', 'Lakeside', 'West', 'Arcades'][1 + intDiv(number, 12)]) AS name,
    ['Freiburg', 'Konstanz', 'Ulm', 'Stuttgart', 'Mannheim', 'Zurich', 'Basel', 'Winterthur', 'Graz', 'Linz', 'Bregenz', 'Karlsruhe'][1 + number % 12] AS city,
    ['DE', 'DE', 'DE', 'DE', 'DE', 'CH', 'CH', 'CH', 'AT', 'AT', 'AT', 'DE'][1 + number % 12] AS country,
    if(id IN (101, 103), toDate('2026-08-17'), toDate('2008-03-01') + cityHash64('opened', id) % 5800) AS opened_on,
    if(id IN (14, 29, 55, 72, 96), toDate('2026-03-01') + (id * 31) % 130, NULL) AS closed_on
FROM numbers(104);

CREATE TABLE clinic.doctors
(
    id UInt32,
    name String,
    specialty LowCardinality(String),
    licensed_on Date
)
ENGINE = MergeTree ORDER BY id;

INSERT INTO clinic.doctors
SELECT
    200 + number AS id,
    concat('Dr. ', ['Anja', 'Bernd', 'Clara', 'David', 'Eva', 'Farid', 'Gina', 'Henrik', 'Ida', 'Jan', 'Karin', 'Lars', 'Maria', 'Nora'][1 + cityHash64('first', id) % 14], ' ',
        ['Adler', 'Brandt', 'Cerny', 'Dietz', 'Ernst', 'Fuchs', 'Graf', 'Huber', 'Imhof', 'Jung', 'Kern', 'Lang', 'Maurer', 'Nagel', 'Ott', 'Pfister', 'Roth', 'Sutter'][1 + cityHash64('last', id) % 18]) AS name,
    ['cardiology', 'dermatology', 'general', 'general', 'orthopaedics', 'gynaecology', 'endocrinology', 'ophthalmology'][1 + number % 8] AS specialty,
    toDate('1990-01-01') + cityHash64('licence', id) % 11800 AS licensed_on
FROM numbers(180);

CREATE TABLE clinic.contracts
(
    id UInt32,
    doctor_id UInt32,
    site_id UInt16,
    hours_per_week Decimal(4, 1),
    kind LowCardinality(String),
    valid_from Date,
    valid_to Nullable(Date) COMMENT 'Last day; NULL: until further notice'
)
ENGINE = MergeTree ORDER BY (doctor_id, valid_from)
COMMENT 'Who works where. A change of hours is a new contract; a doctor may have contracts with several sites at a time';

INSERT INTO clinic.contracts
SELECT row_number() OVER (ORDER BY doctor_id, valid_from, site_id) AS id, * FROM
(
    SELECT
        d.id AS doctor_id,
        toUInt16(1 + if(cityHash64('same site', d.id, n) % 3 > 0, cityHash64('site', d.id, 0), cityHash64('site', d.id, n)) % 100) AS site_id,
        toDecimal64([40, 40, 30, 20, 16, 38.5, 24][1 + cityHash64('hours', d.id, n) % 7], 1) AS hours_per_week,
        if(cityHash64('kind', d.id, n) % 6 = 0, 'freelance', 'employed') AS kind,
        starts[n] AS valid_from,
        if(n = parts, if(cityHash64('left', d.id) % 8 = 0, toDate('2026-01-31') + (cityHash64('until', d.id) % 14) * 30, NULL), starts[n + 1] - 1 - if(cityHash64('gap', d.id, n) % 4 = 0, 20 + cityHash64('gap', d.id, n) % 150, 0)) AS valid_to
    FROM (SELECT id, 1 + cityHash64('parts', id) % 3 AS parts, arrayMap(k -> toDate('2023-01-01') + toInt32(k * 420) + toInt32(cityHash64('begin', id, k) % 330) - if(k = 0, 900, 0), range(0, 4)) AS starts FROM clinic.doctors WHERE cityHash64('never', id) % 40 > 0) AS d
    ARRAY JOIN range(1, parts + 1) AS n
    UNION ALL
    SELECT id, toUInt16(1 + cityHash64('second', id) % 100), toDecimal64(8, 1), 'employed', toDate('2024-10-01') + cityHash64('second from', id) % 500,
        if(cityHash64('second until', id) % 2 = 0, NULL, toDate('2026-05-31') + (cityHash64('second to', id) % 8) * 30)
    FROM clinic.doctors WHERE cityHash64('second has', id) % 5 = 0 AND cityHash64('never', id) % 40 > 0
)
WHERE valid_to IS NULL OR valid_to > valid_from
ORDER BY doctor_id, valid_from, site_id;

CREATE TABLE clinic.prices
(
    code String,
    treatment String,
    category LowCardinality(String),
    currency LowCardinality(String) COMMENT 'CHF at Swiss sites, EUR elsewhere',
    price Decimal(10, 2),
    valid_from Date,
    valid_to Nullable(Date) COMMENT 'First day on which it does not hold any more'
)
ENGINE = MergeTree ORDER BY (code, currency, valid_from)
COMMENT 'Price list of the treatments with its history';

INSERT INTO clinic.prices
WITH
    ['Consultation', 'Follow-up', 'ECG', 'Ultrasound', 'Blood panel', 'Skin check', 'Mole removal', 'X-ray', 'Vaccination', 'Eye test', 'Thyroid scan', 'Stress test', 'Cast', 'Injection', 'Holter', 'Smear test', 'Laser therapy', 'Insulin training', 'Physio check', 'Allergy test',
     'Wound care', 'Spirometry', 'Bone density', 'Joint puncture', 'Glaucoma check', 'Retina scan', 'Pregnancy scan', 'IUD', 'Travel advice', 'Second opinion', 'Certificate', 'Foot care', 'Nutrition advice', 'Sleep study'] AS names,
    ['visit', 'visit', 'diagnostics', 'diagnostics', 'lab', 'visit', 'surgery', 'diagnostics', 'prevention', 'diagnostics'] AS categories
SELECT code, treatment, category, currency, toDecimal64(round(base * factor * if(currency = 'CHF', 1.35, 1) * 2) / 2, 2) AS price, valid_from, valid_to
FROM
(
    SELECT
        concat('T', leftPad(toString(t), 3, '0')) AS code,
        names[t] AS treatment,
        categories[1 + (t - 1) % 10] AS category,
        cur AS currency,
        25 + cityHash64('base', t) % 220 AS base,
        1 + cityHash64('changes', t) % 4 AS parts,
        [toDate('2023-01-01'), toDate('2024-07-01') + 30 * (cityHash64('c1', t) % 6), if(cityHash64('july', t) % 2 = 0, toDate('2026-07-01'), toDate('2026-01-01')), toDate('2026-10-01')] AS starts,
        arrayMap(i -> 1 + arraySum(arrayMap(j -> (toInt32(cityHash64('up', t, j) % 14) - 4) / 100, range(1, i))), range(1, 5)) AS factors,
        starts[p] AS valid_from, factors[p] AS factor,
        if(p = parts, if(t IN (17, 32), toDate('2026-05-01'), NULL), starts[p + 1]) AS valid_to
    FROM (SELECT number + 1 AS t FROM numbers(34))
    ARRAY JOIN ['EUR', 'CHF'] AS cur
    ARRAY JOIN range(1, 5) AS p
    WHERE p <= parts AND (t NOT IN (29, 30, 31, 34) OR cur = 'EUR')
)
WHERE valid_to IS NULL OR valid_to > valid_from;

CREATE TABLE clinic.appointments
(
    id UInt32,
    patient_id UInt32,
    doctor_id UInt32,
    site_id UInt16,
    code String,
    booked_at DateTime('UTC'),
    starts_at DateTime('UTC'),
    status LowCardinality(String) COMMENT 'booked, done, no_show or cancelled',
    cancelled_at Nullable(DateTime('UTC')),
    cancelled_by LowCardinality(Nullable(String)) COMMENT 'patient or clinic'
)
ENGINE = MergeTree ORDER BY starts_at;

INSERT INTO clinic.appointments
WITH picks AS
(
    SELECT
        toUInt32(number + 1) AS id,
        10000 + toUInt32(pow(cityHash64('patient', id) % 100000 / 100000, 1.4) * 9200) AS patient_id,
        toDate('2025-09-01') + toUInt16(number / 42000 * 385) AS day,
        doctor.1 AS doctor_id, doctor.2 AS doctor_site, doctor.3 AS doctor_from, doctor.4 AS doctor_to,
        (SELECT groupArray((doctor_id, site_id, valid_from, ifNull(valid_to, toDate('2030-01-01')))) FROM (SELECT * FROM clinic.contracts ORDER BY id)) AS all_contracts,
        all_contracts[1 + cityHash64('contract', id) % length(all_contracts)] AS doctor
    FROM numbers(42000)
)
SELECT
    id, patient_id, doctor_id,
    doctor_site AS site_id,
    concat('T', leftPad(toString(1 + toUInt32(pow(cityHash64('code', id) % 10000 / 10000, 1.6) * 33)), 3, '0')) AS code,
    toDateTime(day, 'UTC') - INTERVAL (20 + cityHash64('booked', id) % 1100) HOUR AS booked_at,
    toDateTime(day, 'UTC') + INTERVAL (7 * 60 + 15 * (cityHash64('time', id) % 40)) MINUTE AS starts_at,
    multiIf(cityHash64('status', id) % 100 < 13 OR doctor_site IN (18, 36) AND toYYYYMM(day) = 202608, 'cancelled', starts_at >= '2026-09-01 00:00:00', 'booked', cityHash64('status', id) % 100 < 20, 'no_show', cityHash64('status', id) % 1000 > 996, 'booked', 'done') AS status,
    if(status = 'cancelled', greatest(booked_at, least(starts_at - INTERVAL (1 + cityHash64('before', id) % 150) HOUR, toDateTime('2026-08-31 20:00:00', 'UTC'))), NULL) AS cancelled_at,
    if(status = 'cancelled' AND cityHash64('by whom', id) % 12 > 0, if(cityHash64('by', id) % 4 = 0, 'clinic', 'patient'), NULL) AS cancelled_by
FROM picks
WHERE booked_at < '2026-09-01 00:00:00' AND toDayOfWeek(day) < 6 AND (day BETWEEN doctor_from AND doctor_to OR (day BETWEEN doctor_to AND doctor_to + 45) AND cityHash64('slip', id) % 4 = 0)
    AND doctor_site NOT IN (37, 68, 83) AND NOT (doctor_site IN (14, 29, 55, 72, 96) AND day >= toDate('2026-03-01') + (doctor_site * 31) % 130);

CREATE TABLE clinic.invoices
(
    id UInt32,
    appointment_id UInt32,
    issued_on Date,
    due_on Date,
    amount Decimal(10, 2),
    currency LowCardinality(String),
    voided_on Nullable(Date) COMMENT 'A wrong invoice is voided, and usually replaced by another one for the same appointment'
)
ENGINE = MergeTree ORDER BY id;

INSERT INTO clinic.invoices
SELECT 70000 + rowNumberInAllBlocks() AS id, * FROM
(
    SELECT
        a.id AS appointment_id,
        toDate(a.starts_at) + 1 + cityHash64('issued', a.id) % 6 + (copy - 1) * 9 AS issued_on,
        issued_on + 30 AS due_on,
        toDecimal64(if(copy = 1 AND copies = 2, 1.2, 1) * toFloat64(p.price), 2) AS amount,
        p.currency AS currency,
        if(copy < copies OR (copies = 1 AND cityHash64('void', a.id) % 120 = 0), issued_on + 8, NULL) AS voided_on
    FROM (SELECT *, 1 + (cityHash64('wrong', id) % 40 = 0) AS copies FROM clinic.appointments WHERE status = 'done' AND cityHash64('billed', id) % 30 > 0) AS a
    INNER JOIN clinic.sites AS s ON s.id = a.site_id
    INNER JOIN clinic.prices AS p ON p.code = a.code AND p.currency = if(s.country = 'CH', 'CHF', 'EUR')
    ARRAY JOIN range(1, copies + 1) AS copy
    WHERE toDate(a.starts_at) >= p.valid_from AND (p.valid_to IS NULL OR toDate(a.starts_at) < p.valid_to)
    ORDER BY issued_on, appointment_id
)
WHERE issued_on <= '2026-08-31' AND (voided_on IS NULL OR voided_on <= '2026-08-31');

CREATE TABLE clinic.payments
(
    id UInt32,
    invoice_id UInt32,
    paid_on Date,
    amount Decimal(10, 2) COMMENT 'In the currency of the invoice; negative where money went back',
    method LowCardinality(String)
)
ENGINE = MergeTree ORDER BY (invoice_id, paid_on);

INSERT INTO clinic.payments
SELECT rowNumberInAllBlocks() + 1 AS id, * FROM
(
    SELECT
        i.id AS invoice_id,
        i.issued_on + 3 + cityHash64('pays', i.id) % 40 + (part - 1) * 21 AS paid_on,
        toDecimal64(multiIf(part = 9, -toFloat64(i.amount) / 2, parts = 1, toFloat64(i.amount) * if(cityHash64('over', i.id) % 90 = 0, 2, 1), part = 1, floor(toFloat64(i.amount) / parts), part = parts, toFloat64(i.amount) - floor(toFloat64(i.amount) / parts) * (parts - 1), floor(toFloat64(i.amount) / parts)), 2) AS amount,
        if(part = 9, 'transfer', ['card', 'transfer', 'transfer', 'cash'][1 + cityHash64('method', i.id, part) % 4]) AS method
    FROM (SELECT *, multiIf(cityHash64('parts', id) % 12 = 0, 2, cityHash64('parts', id) % 37 = 0, 3, 1) AS parts FROM clinic.invoices WHERE cityHash64('ever', id) % 13 > 0 AND (voided_on IS NULL OR cityHash64('ever', id) % 5 = 0)) AS i
    ARRAY JOIN arrayConcat(range(1, parts + 1), if(cityHash64('back', i.id) % 160 = 0, [9], [])) AS part
    WHERE NOT (parts > 1 AND part = parts AND cityHash64('stopped', i.id) % 4 = 0)
    ORDER BY paid_on, invoice_id, part
)
WHERE paid_on <= '2026-08-31';

CREATE TABLE clinic.lab_results
(
    id UInt32,
    patient_id UInt32,
    analyte LowCardinality(String),
    taken_at DateTime('UTC'),
    reported_at Nullable(DateTime('UTC')) COMMENT 'NULL: the laboratory has not answered yet',
    value Nullable(Float64),
    unit LowCardinality(String) COMMENT 'Laboratories differ: glucose comes in mmol/L or mg/dL (1 mmol/L = 18 mg/dL)',
    remark Nullable(String)
)
ENGINE = MergeTree ORDER BY (patient_id, taken_at)
COMMENT 'One row per analyte and sample';

INSERT INTO clinic.lab_results
SELECT
    rowNumberInAllBlocks() + 1 AS id, patient_id, analyte, taken_at,
    if(taken_at > '2026-08-28 00:00:00' AND cityHash64('slow', aid, analyte) % 2 = 0 OR cityHash64('lost', aid, analyte) % 90 = 0, NULL, taken_at + INTERVAL (5 + cityHash64('report', aid, analyte) % 70) HOUR) AS reported_at,
    if(reported_at IS NULL OR cityHash64('clotted', aid, analyte) % 28 = 0, NULL,
        round(multiIf(analyte = 'glucose', (4 + pow(cityHash64('value', aid, analyte) % 1000 / 1000, 4) * 11) * if(unit = 'mg/dL', 18, 1), analyte = 'TSH', 0.3 + cityHash64('value', aid, analyte) % 60 / 10, analyte = 'HbA1c', 4.8 + cityHash64('value', aid, analyte) % 50 / 10, analyte = 'ferritin', 8 + cityHash64('value', aid, analyte) % 300, 3 + cityHash64('value', aid, analyte) % 50 / 10), 1)) AS value,
    multiIf(analyte = 'glucose', if(cityHash64('laboratory', aid) % 5 < 2, 'mg/dL', 'mmol/L'), analyte = 'TSH', 'mU/L', analyte = 'HbA1c', '%', analyte = 'ferritin', 'µg/L', 'mmol/L') AS unit,
    if(reported_at IS NOT NULL AND value IS NULL AND cityHash64('noted', aid, analyte) % 3 > 0, ['sample clotted', 'too little material', 'mixed up'][1 + cityHash64('note', aid, analyte) % 3], NULL) AS remark
FROM
(
    SELECT id AS aid, patient_id, analyte, starts_at + INTERVAL 10 MINUTE AS taken_at
    FROM clinic.appointments
    ARRAY JOIN ['glucose', 'TSH', 'HbA1c', 'ferritin', 'cholesterol'] AS analyte
    WHERE status = 'done' AND code IN ('T005', 'T011', 'T018', 'T001') AND cityHash64('asked', id, analyte) % 10 < if(code = 'T001', 3, 6)
    ORDER BY taken_at, aid, analyte
);

CREATE TABLE clinic.waiting_list
(
    id UInt32,
    patient_id UInt32,
    specialty LowCardinality(String),
    added_on Date,
    urgency Nullable(UInt8) COMMENT '1 is the most urgent, 3 the least; NULL: not judged yet',
    left_on Nullable(Date) COMMENT 'NULL: still waiting',
    left_reason Nullable(String)
)
ENGINE = MergeTree ORDER BY added_on;

INSERT INTO clinic.waiting_list
SELECT rowNumberInAllBlocks() + 1 AS id, patient_id, specialty, added_on, urgency, if(left_day <= '2026-08-31', left_day, NULL) AS left_on,
    if(left_day <= '2026-08-31', ['seen', 'seen', 'seen', 'gave up', 'went elsewhere'][1 + cityHash64('reason', n) % 5], NULL) AS left_reason
FROM
(
    SELECT
        n, copy,
        10000 + toUInt32(pow(cityHash64('waits', n) % 10000 / 10000, 1.4) * 9200) AS patient_id,
        ['cardiology', 'cardiology', 'dermatology', 'dermatology', 'dermatology', 'orthopaedics', 'endocrinology', 'ophthalmology'][1 + cityHash64('for', n) % 8] AS specialty,
        toDate('2025-10-01') + cityHash64('added', n) % 330 + (copy - 1) * 3 AS added_on,
        if(cityHash64('judged', n) % 10 = 0, NULL, toUInt8(1 + cityHash64('urgency', n) % 3)) AS urgency,
        added_on + 6 + toUInt32(pow(cityHash64('wait', n) % 1000 / 1000, 2) * 300) AS left_day
    FROM (SELECT number AS n FROM numbers(1900))
    ARRAY JOIN range(1, 2 + (cityHash64('twice', n) % 15 = 0)) AS copy
    ORDER BY added_on, n, copy
);
