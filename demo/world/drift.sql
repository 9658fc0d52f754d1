-- What is entered into the inventory after metro_capacity has run: Oslo's first device and link, still pending.

INSERT INTO dz_devices
SELECT 'osl-dz01', 'osl', 'drumlin', 'hybrid', 'pending', '203.0.113.200', 128, now('UTC');

INSERT INTO dz_links
SELECT 'osl-dz01:sto-dz01', 'drumlin', 'osl-dz01', 'sto-dz01', 'wan', 'pending', 40000000000, 5600, 9000, now('UTC');
