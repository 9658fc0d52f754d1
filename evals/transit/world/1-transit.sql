-- The public transport of a border city: lines, stops, trips, vehicles, maintenance, tickets in two currencies, taps of cards, complaints.
-- Every value comes from a hash of its row, so the rows are the same on every machine. Data up to the end of August 2026.

CREATE DATABASE transit COMMENT 'Public transport of Rheinstadt. Data up to and including 31 August 2026; all times are local';

CREATE TABLE transit.lines
(
    id UInt16,
    code String COMMENT 'As passengers know it: M1, T4, 36, N2, F1',
    name String,
    mode LowCardinality(String),
    contractor Nullable(String) COMMENT 'NULL: driven by ourselves',
    opened_on Date,
    closed_on Nullable(Date) COMMENT 'First day without service'
)
ENGINE = MergeTree ORDER BY id;

INSERT INTO transit.lines
SELECT
    number + 1 AS id,
    multiIf(id <= 4, concat('M', toString(id)), id <= 18, concat('T', toString(id - 4)), id <= 92, toString(id + 11), id <= 106, concat('N', toString(id - 92)), concat('F', toString(id - 106))) AS code,
    concat(['Harbour', 'Castle', 'University', 'Airport', 'Old Mill', 'Stadium', 'Hospital', 'Westend'][1 + cityHash64('from', id) % 8], ' - ',
        ['North Cemetery', 'Exhibition', 'Zoo', 'Riverside', 'Technopark', 'Border', 'Lakeview', 'Brewery'][1 + cityHash64('to', id) % 8]) AS name,
    multiIf(id <= 4, 'metro', id <= 18, 'tram', id <= 92, 'bus', id <= 106, 'night bus', 'ferry') AS mode,
    if(id <= 18 OR cityHash64('own', id) % 5 < 2, NULL, ['Reiser GmbH', 'Alpbus AG', 'Schiffahrt Huber'][if(id > 106, 3, 1 + cityHash64('who', id) % 2)]) AS contractor,
    toDate('1998-05-01') + cityHash64('opened', id) % 9800 AS opened_on,
    if(id IN (23, 41, 58, 66, 77, 90, 99, 111), toDate('2026-02-01') + (id * 37) % 190, NULL) AS closed_on
FROM numbers(112);

CREATE TABLE transit.stops
(
    id UInt32,
    name String,
    zone LowCardinality(String),
    step_free Nullable(Bool) COMMENT 'NULL: not surveyed yet',
    country LowCardinality(String),
    closed_on Nullable(Date)
)
ENGINE = MergeTree ORDER BY id
COMMENT 'Stops and stations. Different stops may bear the same name';

INSERT INTO transit.stops
SELECT
    1000 + number AS id,
    concat(['Market', 'Church', 'Mill', 'Station', 'Rose', 'Linden', 'Castle', 'Garden', 'Bridge', 'School', 'Meadow', 'Forest', 'Lake', 'Tower', 'Kings', 'Abbey', 'Copper', 'Vine', 'Willow', 'Weaver', 'Hunter', 'Miller', 'Baker', 'Fisher', 'Potter', 'Salt'][1 + cityHash64('first', id) % 26], ' ',
        ['Square', 'Street', 'Lane', 'Gate', 'Hill', 'Road', 'Park', 'Court', 'Yard', 'Corner', 'Field', 'Bank', 'Row', 'Green', 'Alley', 'Steps', 'Cross', 'End', 'Dock', 'Works'][1 + cityHash64('second', id) % 20]) AS name,
    ['A', 'A', 'B', 'B', 'B', 'C', 'C', 'D'][1 + cityHash64('zone', id) % 8] AS zone,
    multiIf(cityHash64('surveyed', id) % 6 = 0, NULL, cityHash64('step', id) % 10 < 6) AS step_free,
    if(zone = 'D' OR cityHash64('country', id) % 7 = 0, 'CH', 'DE') AS country,
    if(cityHash64('closed', id) % 27 = 0, toDate('2025-11-01') + cityHash64('when', id) % 300, NULL) AS closed_on
FROM numbers(640);

CREATE TABLE transit.line_stops
(
    line_id UInt16,
    seq UInt8,
    stop_id UInt32,
    valid_from Date,
    valid_to Nullable(Date) COMMENT 'Last day on which the line stops there; NULL: goes on'
)
ENGINE = MergeTree ORDER BY (line_id, valid_from, seq)
COMMENT 'Which line stops where, with its history: a place in the route may have been taken by another stop before';

INSERT INTO transit.line_stops
WITH base AS
(
    SELECT lines.id AS line_id, seq, lines.opened_on AS opened_on, lines.closed_on AS closed_on,
        1000 + (cityHash64('start', lines.id) + seq * (3 + 2 * (lines.id % 4))) % 600 AS old_stop,
        1000 + (cityHash64('start', lines.id) + 300 + seq * 7) % 640 AS new_stop,
        cityHash64('moved', lines.id, seq) % 6 = 0 AS moved,
        toDate('2025-12-14') + cityHash64('moved on', lines.id, intDiv(seq, 4)) % 230 AS moved_on
    FROM transit.lines AS lines
    ARRAY JOIN range(1, 12 + cityHash64('length', lines.id) % 16) AS seq
)
SELECT line_id, seq, old_stop AS stop_id, opened_on AS valid_from,
    if(moved AND (closed_on IS NULL OR moved_on < closed_on), moved_on - 1, closed_on - 1) AS valid_to
FROM base
UNION ALL
SELECT line_id, seq, new_stop, moved_on, closed_on - 1
FROM base
WHERE moved AND (closed_on IS NULL OR moved_on < closed_on);

CREATE TABLE transit.vehicles
(
    id UInt32,
    fleet_no String,
    kind LowCardinality(String),
    depot LowCardinality(String),
    capacity Nullable(UInt16),
    in_service_from Date,
    retired_on Nullable(Date) COMMENT 'First day out of service for good',
    odometer_unit LowCardinality(String) COMMENT 'km, or mi for those bought second-hand in Britain; 1 mi = 1.609344 km'
)
ENGINE = MergeTree ORDER BY id;

INSERT INTO transit.vehicles
SELECT
    number + 1 AS id,
    concat(upper(substring(kind, 1, 1)), leftPad(toString(id * 3), 4, '0')) AS fleet_no,
    multiIf(id <= 24, 'metro train', id <= 84, 'tram', id <= 272, 'bus', 'ferry') AS kind,
    multiIf(id <= 24, 'Nordring', id <= 84, ['Nordring', 'Hafen'][1 + id % 2], id > 272, 'Hafen', ['Westtor', 'Westtor', 'Hafen', 'Sandfeld'][1 + cityHash64('depot', id) % 4]) AS depot,
    if(cityHash64('known', id) % 15 = 0, NULL, multiIf(kind = 'metro train', 620, kind = 'tram', 180 + 20 * (id % 4), kind = 'bus', 70 + 15 * (id % 4), 150)) AS capacity,
    toDate('2009-01-01') + cityHash64('since', id) % 6350 AS in_service_from,
    if(cityHash64('retired', id) % 11 = 0, greatest(toDate('2025-09-01') + cityHash64('until', id) % 350, in_service_from + 40), NULL) AS retired_on,
    if(kind = 'bus' AND cityHash64('british', id) % 8 = 0, 'mi', 'km') AS odometer_unit
FROM numbers(280);

CREATE TABLE transit.maintenance
(
    id UInt32,
    vehicle_id UInt32,
    kind LowCardinality(String) COMMENT 'inspection, repair, accident or cleaning',
    started_on Date,
    finished_on Nullable(Date) COMMENT 'Last day in the workshop; NULL: still there',
    odometer Nullable(UInt32) COMMENT 'When it came in, in the unit of the vehicle',
    cost Nullable(Decimal(10, 2)) COMMENT 'EUR; NULL: no invoice yet'
)
ENGINE = MergeTree ORDER BY (vehicle_id, started_on)
COMMENT 'Stays in the workshop, January 2025 to August 2026';

INSERT INTO transit.maintenance
SELECT rowNumberInAllBlocks() + 1 AS id, * FROM
(
    SELECT
        v.id AS vehicle_id,
        ['inspection', 'repair', 'repair', 'cleaning', 'inspection', 'accident', 'repair'][1 + cityHash64('kind', v.id, n) % 7] AS kind,
        toDate('2025-01-06') + n * 96 + cityHash64('start', v.id, n) % 80 AS started_on,
        if(started_on > '2026-08-20' AND v.retired_on IS NULL AND cityHash64('open', v.id) % 3 > 0, NULL, least(toDate('2026-08-31'), started_on + if(kind = 'accident', 12, 0) + cityHash64('days', v.id, n) % 6)) AS finished_on,
        if(cityHash64('read', v.id, n) % 14 = 0, NULL, toUInt32(((started_on - toDate('2009-01-01')) * 60 + cityHash64('km', v.id) % 40000) / if(v.odometer_unit = 'mi', 1.609344, 1))) AS odometer,
        if(finished_on IS NULL OR cityHash64('billed', v.id, n) % 9 = 0, NULL, toDecimal64(multiIf(kind = 'accident', 4000, kind = 'repair', 900, kind = 'inspection', 350, 80) * (0.5 + cityHash64('cost', v.id, n) % 150 / 100), 2)) AS cost
    FROM transit.vehicles AS v ARRAY JOIN range(0, 7) AS n
    WHERE cityHash64('came', v.id, n) % 5 > 0 AND cityHash64('ever', v.id) % 23 > 0 AND started_on >= v.in_service_from AND (v.retired_on IS NULL OR started_on < v.retired_on - 20) AND started_on <= '2026-08-31'
    ORDER BY started_on, vehicle_id
);

CREATE TABLE transit.trips
(
    id UInt32,
    line_id UInt16,
    service_date Date COMMENT 'Day of the timetable: what leaves after midnight still belongs to the evening before',
    planned_start DateTime('Europe/Berlin'),
    planned_end DateTime('Europe/Berlin'),
    vehicle_id Nullable(UInt32),
    status Enum8('driven' = 1, 'broken_off' = 2, 'cancelled' = 3) COMMENT 'broken_off: left, and ended on the way',
    actual_start Nullable(DateTime('Europe/Berlin')) COMMENT 'To the minute. NULL: did not leave, or its computer was silent',
    actual_end Nullable(DateTime('Europe/Berlin')),
    cancel_reason Nullable(String)
)
ENGINE = MergeTree ORDER BY (service_date, line_id, planned_start)
COMMENT 'Planned trips of July and August 2026, and what became of them';

INSERT INTO transit.trips
SELECT rowNumberInAllBlocks() + 1 AS id, line_id, service_date, planned_start, planned_end, vehicle_id, status, actual_start, actual_end, cancel_reason FROM
(
    SELECT
        l.id AS line_id,
        toDate('2026-07-01') + day AS service_date,
        l.mode AS mode,
        toDateTime(service_date, 'Europe/Berlin') + INTERVAL if(mode = 'night bus', 22 * 60 + n * 55, 5 * 60 + n * 170 + (l.id * 7) % 60) MINUTE AS planned_start,
        planned_start + INTERVAL (20 + cityHash64('long', l.id) % 40) MINUTE AS planned_end,
        cityHash64('status', l.id, day, n) % 1000 AS dice,
        multiIf(dice < 18 + (l.id % 9) * 4 + if(l.id IN (37, 52) AND day BETWEEN 40 AND 46, 1000, 0), 'cancelled', dice > 992, 'broken_off', 'driven') AS status,
        if(status = 'cancelled' AND cityHash64('assigned', l.id, day, n) % 3 > 0, NULL,
            multiIf(mode = 'metro', 1 + cityHash64('v', l.id, day, n) % 24, mode = 'tram', 25 + cityHash64('v', l.id, day, n) % 58, mode = 'ferry', 273 + cityHash64('v', l.id, day, n) % 7, 85 + cityHash64('v', l.id, intDiv(day, 3), n) % 184)) AS vehicle_id,
        toInt32(cityHash64('late', l.id, day, n) % 100) AS luck,
        multiIf(luck < 8, -1, luck < 40, 0, luck < 70, 1 + luck % 3, luck < 92, 3 + luck % 6, 10 + toInt32(cityHash64('very', l.id, day, n) % 25)) AS late,
        if(status = 'cancelled' OR cityHash64('silent', l.id, day, n) % 40 = 0, NULL, planned_start + INTERVAL late MINUTE) AS actual_start,
        if(status != 'driven' OR actual_start IS NULL, NULL, planned_end + INTERVAL (late + toInt32(cityHash64('end', l.id, day, n) % 7) - 2) MINUTE) AS actual_end,
        if(status = 'cancelled' AND cityHash64('told', l.id, day, n) % 6 > 0, ['no staff', 'no staff', 'no vehicle', 'road works', 'weather'][1 + cityHash64('why', l.id, day, n) % 5], NULL) AS cancel_reason
    FROM transit.lines AS l
    ARRAY JOIN range(0, 62) AS day
    ARRAY JOIN range(0, 7) AS n
    WHERE (l.closed_on IS NULL OR toDate('2026-07-01') + day < l.closed_on) AND NOT (l.mode = 'ferry' AND toDayOfWeek(toDate('2026-07-01') + day) = 1)
    ORDER BY service_date, planned_start, line_id
);

CREATE TABLE transit.ticket_sales
(
    id UInt32,
    sold_at DateTime('Europe/Berlin'),
    product LowCardinality(String),
    zones UInt8 COMMENT 'How many zones it covers',
    channel LowCardinality(String),
    quantity UInt8,
    amount Decimal(10, 2) COMMENT 'For all pieces, in currency',
    currency LowCardinality(String) COMMENT 'EUR or CHF; nothing is converted',
    refunded_at Nullable(DateTime('Europe/Berlin')) COMMENT 'Refunds are always for the whole amount'
)
ENGINE = MergeTree ORDER BY sold_at;

INSERT INTO transit.ticket_sales
SELECT
    number + 1 AS id,
    toDateTime('2026-01-01 04:00:00', 'Europe/Berlin') + INTERVAL toUInt32(number / 26000 * 242.6 * 86400 + cityHash64('s', number) % 900) SECOND AS sold_at,
    ['single', 'single', 'single', 'day', 'day', 'week', 'month', 'group', 'bike'][1 + cityHash64('product', id) % 9] AS product,
    1 + cityHash64('zones', id) % 4 AS zones,
    if(toMonth(sold_at) = 3 AND cityHash64('out', id) % 2 = 0, 'kiosk', ['app', 'app', 'app', 'machine', 'machine', 'kiosk', 'driver'][1 + cityHash64('channel', id) % 7]) AS channel,
    if(product = 'single' AND cityHash64('more', id) % 5 = 0, 2 + cityHash64('q', id) % 4, 1) AS quantity,
    toDecimal64(quantity * transform(product, ['single', 'day', 'week', 'month', 'group', 'bike'], [2.4, 6.2, 21., 64., 14.5, 2.], 1.) * (0.7 + 0.3 * zones) * if(cityHash64('chf', id) % 4 = 0, 1.1, 1), 2) AS amount,
    if(cityHash64('chf', id) % 4 = 0, 'CHF', 'EUR') AS currency,
    if(channel != 'driver' AND cityHash64('refund', id) % 60 = 0, sold_at + INTERVAL (1 + cityHash64('r', id) % 200) HOUR, NULL) AS refunded_at
FROM numbers(26000);

CREATE TABLE transit.taps
(
    tap_id UInt64,
    card_id UInt32,
    kind Enum8('in' = 1, 'out' = 2),
    stop_id UInt32,
    tapped_at DateTime('Europe/Berlin'),
    received_at DateTime('Europe/Berlin')
)
ENGINE = MergeTree ORDER BY (card_id, tapped_at)
COMMENT 'What the card readers sent, 1 to 16 August 2026. A reader that hears no answer sends a tap again: same tap_id, later received_at. Many passengers forget to tap out';

INSERT INTO transit.taps
WITH journeys AS
(
    SELECT
        card, day, n,
        toDateTime(toDate('2026-08-01') + day, 'Europe/Berlin') + INTERVAL ([7, 12, 17, 20][n] * 3600 + cityHash64('at', card, day, n) % 7000) SECOND AS t_in,
        1000 + cityHash64('in', card, n % 2) % 640 AS s_in,
        1000 + cityHash64('out', card, n % 2) % 640 AS s_out,
        cityHash64('forgot', card, day, n) % 100 < if(card % 50 = 7, 100, 9) AS forgot,
        300 + cityHash64('ride', card, day, n) % 3300 AS ride
    FROM (SELECT 500000 + number * 17 AS card FROM numbers(1700)) AS cards
    ARRAY JOIN range(0, 16) AS day
    ARRAY JOIN range(1, 5) AS n
    WHERE cityHash64('rides', card, day, n) % 100 < [34, 12, 33, 7][n]
)
SELECT 9000000 + cityHash64('id', card, day, n, kind_no) % 4000000000 AS tap_id, card AS card_id, if(kind_no = 1, 'in', 'out') AS kind, if(kind_no = 1, s_in, s_out) AS stop_id,
    if(kind_no = 1, t_in, t_in + INTERVAL ride SECOND) AS tapped_at,
    tapped_at + INTERVAL (1 + cityHash64('sent', card, day, n, kind_no) % 4 + (copy - 1) * (20 + cityHash64('again', card, day, n, kind_no) % 600)) SECOND AS received_at
FROM journeys
ARRAY JOIN if(forgot, [1], [1, 2]) AS kind_no
ARRAY JOIN range(1, 2 + (cityHash64('twice', card, day, n, kind_no) % 25 = 0) + (cityHash64('twice', card, day, n, kind_no) % 125 = 0)) AS copy;

CREATE TABLE transit.complaints
(
    id UInt32,
    received_at DateTime('Europe/Berlin'),
    channel LowCardinality(String),
    line_id Nullable(UInt16) COMMENT 'NULL: not about a line',
    topic Nullable(String) COMMENT 'NULL: not sorted yet',
    duplicate_of Nullable(UInt32) COMMENT 'The complaint that this one repeats; repeats are closed with it and not counted in reports',
    closed_at Nullable(DateTime('Europe/Berlin')),
    compensation Nullable(Decimal(8, 2))
)
ENGINE = MergeTree ORDER BY received_at
COMMENT 'From April 2026 on. Compensation is in EUR';

INSERT INTO transit.complaints
SELECT id, received_at, channel, line_id, topic, duplicate_of, if(closes < '2026-09-01 00:00:00', closes, NULL) AS closed_at,
    if(duplicate_of IS NULL AND closed_at IS NOT NULL AND cityHash64('paid', id) % 4 = 0, toDecimal64(5 + cityHash64('sum', id) % 90 / 2, 2), NULL) AS compensation
FROM
(
    SELECT
        toUInt32(number + 1) AS id,
        if(id > 1 AND cityHash64('dup', id) % 12 = 0 AND cityHash64('dup', id - 1) % 12 > 0, id - 1, id) AS src,
        toDateTime('2026-04-01 07:00:00', 'Europe/Berlin') + INTERVAL toUInt32(id / 1500 * 152.4 * 86400) SECOND AS received_at,
        ['web', 'web', 'phone', 'letter', 'counter'][1 + cityHash64('ch', id) % 5] AS channel,
        if(cityHash64('line', src) % 7 = 0, NULL, 1 + toUInt16(pow(cityHash64('which', src) % 10000 / 10000, 1.7) * 110)) AS line_id,
        if(cityHash64('sorted', src) % 11 = 0, NULL, ['delay', 'delay', 'driver', 'cleanliness', 'ticket', 'lost property', 'accessibility'][1 + cityHash64('topic', src) % 7]) AS topic,
        if(src != id, src, NULL) AS duplicate_of,
        if(cityHash64('open', src) % 9 = 0, toDateTime('2027-01-01 00:00:00', 'Europe/Berlin'), toDateTime('2026-04-01 07:00:00', 'Europe/Berlin') + INTERVAL toUInt32(src / 1500 * 152.4 * 86400 + 3600 * (5 + cityHash64('h', src) % if(cityHash64('slow', src) % 5 = 0, 1100, 260))) SECOND) AS closes
    FROM numbers(1500)
);
