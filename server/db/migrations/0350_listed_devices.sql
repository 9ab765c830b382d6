-- A machine that sells but is not on its partner's list waits among the devices to review, and is none of the partner's list.
CREATE OR REPLACE VIEW nayax_devices AS
  SELECT id, config_id, coalesce(details ->> 'deviceId', vendor_id) AS device_id,
         coalesce(details ->> 'deviceSerial', serial_number) AS serial_number, model,
         nullif(concat_ws(', ', address, city, state), '') AS location, status, last_seen_at AS last_seen, firmware,
         (details ->> 'batteryLevel')::integer AS battery_level, coalesce(details ->> 'connectivity', 'connected') AS connectivity,
         machine_id AS vending_machine_id, name, vendor_id AS machine_id, link
  FROM vendor_devices WHERE system = 'nayax' AND NOT removed AND details ->> 'unlisted' IS NULL;
--> statement-breakpoint
CREATE OR REPLACE VIEW moma_machines AS
  SELECT d.id, d.config_id, d.vendor_id AS machine_id, d.name, nullif(concat_ws(', ', d.address, d.city, d.state), '') AS location,
         d.latitude, d.longitude, d.status, (d.details ->> 'temperature')::numeric AS temperature,
         coalesce((SELECT sum(s.amount) FROM vendor_sales s
                   WHERE s.config_id = d.config_id AND s.device_id = d.vendor_id AND s.status = 'completed'
                     AND s.sold_at >= date_trunc('day', now() AT TIME ZONE o.zone) AT TIME ZONE o.zone), 0) AS revenue,
         (d.details ->> 'lastService')::timestamptz AS last_service, d.machine_id AS vending_machine_id,
         d.last_seen_at AS last_seen, d.link
  FROM vendor_devices d
  CROSS JOIN (SELECT coalesce((SELECT time_zone FROM operator WHERE id = 1), 'UTC') AS zone) o
  WHERE d.system = 'moma' AND NOT d.removed AND d.details ->> 'unlisted' IS NULL;
--> statement-breakpoint
CREATE OR REPLACE VIEW cantaloupe_devices AS
  SELECT id, config_id, machine_id AS vending_machine_id, vendor_id AS device_id, serial_number, model,
         concat_ws(', ', name, city, state) AS location, status, last_seen_at AS last_seen, firmware, link
  FROM vendor_devices WHERE system = 'cantaloupe' AND NOT removed AND details ->> 'unlisted' IS NULL;
