-- What a person left out brings no money, like what is held back: it was never believed.
CREATE OR REPLACE FUNCTION partner_status(status text, outcome text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE outcome WHEN 'held' THEN 'pending' WHEN 'refused' THEN 'failed' ELSE status END $$;
--> statement-breakpoint
-- The triggers take what was left out so far from the sums of payments.
UPDATE vendor_sales v SET outcome = 'refused'
FROM held_records h
WHERE h.status = 'dismissed' AND h.kind = 'sale' AND h.reason <> 'changed'
  AND v.config_id = h.config_id AND v.vendor_id = h.vendor_id AND v.outcome = 'none' AND v.status <> 'failed';
--> statement-breakpoint
CREATE OR REPLACE VIEW moma_machines AS
  SELECT d.id, d.config_id, d.vendor_id AS machine_id, d.name, nullif(concat_ws(', ', d.address, d.city, d.state), '') AS location,
         d.latitude, d.longitude, d.status, (d.details ->> 'temperature')::numeric AS temperature,
         coalesce((SELECT sum(s.amount) FROM vendor_sales s
                   WHERE s.config_id = d.config_id AND s.device_id = d.vendor_id AND partner_status(s.status, s.outcome) = 'completed'
                     AND s.sold_at >= date_trunc('day', now() AT TIME ZONE o.zone) AT TIME ZONE o.zone), 0) AS revenue,
         (d.details ->> 'lastService')::timestamptz AS last_service, d.machine_id AS vending_machine_id,
         d.last_seen_at AS last_seen, d.link
  FROM vendor_devices d
  CROSS JOIN (SELECT coalesce((SELECT time_zone FROM operator WHERE id = 1), 'UTC') AS zone) o
  WHERE d.system = 'moma' AND NOT d.removed AND d.details ->> 'unlisted' IS NULL;
