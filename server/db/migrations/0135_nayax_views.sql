-- Nayax Core and MoMa 2.0 under the names and columns that their records have had from the start. Secrets are only said to be set.
DROP VIEW IF EXISTS nayax_configs, nayax_devices, nayax_transactions, nayax_webhooks, moma_configs,
  moma_machines, moma_inventory, moma_sales, moma_alerts;
--> statement-breakpoint
CREATE VIEW nayax_configs AS
  SELECT id, name, settings ->> 'merchantId' AS merchant_id,
         CASE WHEN secret_hints -> 'hashCode' IS NOT NULL THEN 'set' END AS hash_code,
         coalesce(settings ->> 'environment', 'sandbox') AS environment, settings ->> 'apiEndpoint' AS api_endpoint,
         is_active, last_sync_at AS last_sync, created_at, updated_at
  FROM integration_configs WHERE system = 'nayax' AND removed_at IS NULL;
--> statement-breakpoint
CREATE VIEW nayax_devices AS
  SELECT id, config_id, coalesce(details ->> 'deviceId', vendor_id) AS device_id,
         coalesce(details ->> 'deviceSerial', serial_number) AS serial_number, model,
         nullif(concat_ws(', ', address, city, state), '') AS location, status, last_seen_at AS last_seen, firmware,
         (details ->> 'batteryLevel')::integer AS battery_level, coalesce(details ->> 'connectivity', 'connected') AS connectivity,
         machine_id AS vending_machine_id, name, vendor_id AS machine_id, link
  FROM vendor_devices WHERE system = 'nayax' AND NOT removed;
--> statement-breakpoint
CREATE VIEW nayax_transactions AS
  SELECT s.id, s.config_id, coalesce(d.details ->> 'deviceId', s.device_id) AS device_id, s.vendor_id AS transaction_id, s.order_id,
         s.amount, s.currency, s.payment_method, s.card_type, s.last_four, s.status, s.product_code, s.product_name, s.quantity,
         s.sold_at AS transaction_date, s.processed_at, s.details ->> 'responseCode' AS response_code,
         s.details ->> 'responseMessage' AS response_message, s.raw AS metadata, d.name AS machine_name, d.machine_id AS vending_machine_id,
         s.outcome
  FROM vendor_sales s LEFT JOIN vendor_devices d ON d.config_id = s.config_id AND d.vendor_id = s.device_id
  WHERE s.system = 'nayax';
--> statement-breakpoint
-- A payload that is no text, or was emptied after its time, is null.
CREATE VIEW nayax_webhooks AS
  SELECT id, config_id, event_type, to_jsonb(encode(body, 'escape')) AS payload, signature,
         processed_at IS NOT NULL AS processed, processed_at, received_at, error
  FROM webhook_deliveries WHERE system = 'nayax';
--> statement-breakpoint
CREATE VIEW moma_configs AS
  SELECT id, name, CASE WHEN secret_hints -> 'apiKey' IS NOT NULL THEN 'set' END AS api_key,
         CASE WHEN secret_hints -> 'apiSecret' IS NOT NULL THEN 'set' END AS api_secret,
         coalesce(settings ->> 'environment', 'sandbox') AS environment, settings ->> 'baseUrl' AS base_url, sync_enabled,
         last_sync_at AS last_sync, is_active, created_at, updated_at
  FROM integration_configs WHERE system = 'moma' AND removed_at IS NULL;
--> statement-breakpoint
-- Revenue: what settled since the start of the operator's day; the system itself tells no total.
CREATE VIEW moma_machines AS
  SELECT d.id, d.config_id, d.vendor_id AS machine_id, d.name, nullif(concat_ws(', ', d.address, d.city, d.state), '') AS location,
         d.latitude, d.longitude, d.status, (d.details ->> 'temperature')::numeric AS temperature,
         coalesce((SELECT sum(s.amount) FROM vendor_sales s
                   WHERE s.config_id = d.config_id AND s.device_id = d.vendor_id AND s.status = 'completed'
                     AND s.sold_at >= date_trunc('day', now() AT TIME ZONE o.zone) AT TIME ZONE o.zone), 0) AS revenue,
         (d.details ->> 'lastService')::timestamptz AS last_service, d.machine_id AS vending_machine_id,
         d.last_seen_at AS last_seen, d.link
  FROM vendor_devices d
  CROSS JOIN (SELECT coalesce((SELECT time_zone FROM operator WHERE id = 1), 'UTC') AS zone) o
  WHERE d.system = 'moma' AND NOT d.removed;
--> statement-breakpoint
CREATE VIEW moma_inventory AS
  SELECT s.id, s.config_id, s.device_id AS machine_id, s.product_code, s.product_name, s.quantity AS current_quantity,
         s.capacity AS max_capacity, s.minimum AS minimum_quantity, s.price, s.slot_number, s.last_filled_at AS last_refilled,
         d.name AS machine_name, d.machine_id AS vending_machine_id
  FROM vendor_stock s LEFT JOIN vendor_devices d ON d.config_id = s.config_id AND d.vendor_id = s.device_id
  WHERE s.system = 'moma' AND NOT s.removed;
--> statement-breakpoint
CREATE VIEW moma_sales AS
  SELECT s.id, s.config_id, s.device_id AS machine_id, s.product_code, s.product_name, s.quantity, s.unit_price AS price,
         s.amount AS total_amount, s.payment_method, s.vendor_id AS transaction_id, s.sold_at AS sale_date,
         s.outcome IN ('booked', 'same') AS synced, s.status, d.name AS machine_name, d.machine_id AS vending_machine_id
  FROM vendor_sales s LEFT JOIN vendor_devices d ON d.config_id = s.config_id AND d.vendor_id = s.device_id
  WHERE s.system = 'moma';
--> statement-breakpoint
CREATE VIEW moma_alerts AS
  SELECT a.id, a.config_id, a.device_id AS machine_id, a.alert_type, a.message, a.severity, a.resolved_at IS NOT NULL AS resolved,
         a.resolved_at, a.raised_at, d.name AS machine_name, d.machine_id AS vending_machine_id
  FROM vendor_alerts a LEFT JOIN vendor_devices d ON d.config_id = a.config_id AND d.vendor_id = a.device_id
  WHERE a.system = 'moma';
