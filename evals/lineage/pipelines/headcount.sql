CREATE DATABASE people;
CREATE DATABASE hr_master;
CREATE TABLE people.contracts (contract_no UInt32, employee_id UInt32, department_code LowCardinality(String), home_code LowCardinality(String), fte Float64, start_date Date, end_date Nullable(Date)) ENGINE = MergeTree ORDER BY (employee_id, start_date, contract_no);
INSERT INTO people.contracts
SELECT 30000 + number, 1001 + number, concat('D', toString(11 + cityHash64(number, 'dep') % 14)) AS code, if(cityHash64(number, 'moved') % 9 = 0, concat('D', toString(11 + cityHash64(number, 'home') % 14)), code),
       [1.0, 1.0, 1.0, 0.8, 0.5][1 + cityHash64(number, 'fte') % 5], toDate('2019-01-01') + cityHash64(number, 'start') % 2600,
       if(cityHash64(number, 'fixed') % 6 = 0, toDate('2025-10-31') + cityHash64(number, 'end') % 400, NULL)
FROM numbers(520);
INSERT INTO people.contracts
SELECT 31000 + number, employee_id, department_code, home_code, if(fte = 1.0, 0.8, 1.0), toDate('2026-01-01') + (number % 3) * 31, NULL
FROM (SELECT *, contract_no - 30000 AS number FROM people.contracts WHERE contract_no % 19 = 0 AND start_date < '2025-12-01');
OPTIMIZE TABLE people.contracts FINAL;
CREATE TABLE people.absences (absence_id UInt32, employee_id UInt32, kind LowCardinality(String), first_day Date, last_day Date) ENGINE = MergeTree ORDER BY absence_id;
INSERT INTO people.absences
SELECT 80000 + number, 1001 + cityHash64(number, 'emp') % 530, ['sick', 'leave', 'parental'][1 + cityHash64(number, 'kind') % 3], toDate('2026-03-20') + cityHash64(number, 'day') % 80 AS first_day, first_day + cityHash64(number, 'long') % 9
FROM numbers(700);
CREATE TABLE hr_master.org_units (code LowCardinality(String), department String, division LowCardinality(String), valid_from Date) ENGINE = MergeTree ORDER BY (code, valid_from);
INSERT INTO hr_master.org_units
SELECT concat('D', toString(11 + number)), ['Finance', 'Legal', 'Customer Care', 'Field Service', 'Data Platform', 'Mobile Apps', 'Procurement', 'Warehouse South', 'Warehouse North', 'Workplace', 'Marketing', 'Quality', 'Sales Nordics', 'Sales DACH'][1 + number],
       ['Corporate', 'Corporate', 'Service', 'Service', 'Product', 'Product', 'Operations', 'Operations', 'Operations', 'Corporate', 'Commercial', 'Operations', 'Commercial', 'Commercial'][1 + number], toDate('2022-01-01')
FROM numbers(14);
