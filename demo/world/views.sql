-- Created under the database's final name: a view keeps the name of the database it was created in.

CREATE VIEW dz_links_current COMMENT 'Links as they are now, with the names that people use; the status tells which are in service' AS
SELECT
    dz_links.code AS link_code,
    dz_links.status AS status,
    dz_links.link_type AS link_type,
    dz_contributors.name AS contributor,
    metro_a.code AS metro_a,
    metro_a.name AS metro_a_name,
    metro_z.code AS metro_z,
    metro_z.name AS metro_z_name,
    dz_links.bandwidth_bps / 1000000000 AS bandwidth_gbps,
    dz_links.committed_rtt_us AS committed_rtt_us
FROM dz_links
INNER JOIN dz_contributors ON dz_contributors.code = dz_links.contributor_code
INNER JOIN dz_devices AS device_a ON device_a.code = dz_links.side_a_device
INNER JOIN dz_devices AS device_z ON device_z.code = dz_links.side_z_device
INNER JOIN dz_metros AS metro_a ON metro_a.code = device_a.metro_code
INNER JOIN dz_metros AS metro_z ON metro_z.code = device_z.metro_code;

CREATE VIEW link_utilisation COMMENT 'Use of each link by direction, every five minutes for seven days. Each direction has the whole bandwidth: never add the two' AS
SELECT
    counters.measured_at AS measured_at,
    counters.link_code AS link_code,
    if(counters.link_side = 'a', 'a_to_z', 'z_to_a') AS direction,
    counters.out_bytes * 8 / counters.interval_seconds AS bits_per_second,
    dz_links.bandwidth_bps AS bandwidth_bps,
    100 * counters.out_bytes * 8 / counters.interval_seconds / dz_links.bandwidth_bps AS utilisation_percent
FROM fact_interface_counters AS counters
INNER JOIN dz_links ON dz_links.code = counters.link_code;
