-- Cantaloupe under the names and columns that its records have had from the start. Secrets are only said to be set.
CREATE VIEW cantaloupe_configs AS
  SELECT id, name, CASE WHEN secret_hints -> 'apiKey' IS NOT NULL THEN 'set' END AS api_key,
         CASE WHEN secret_hints -> 'apiSecret' IS NOT NULL THEN 'set' END AS api_secret,
         coalesce(settings ->> 'environment', 'sandbox') AS environment, settings ->> 'webhookUrl' AS webhook_url, is_active,
         last_sync_at AS last_sync, created_at, updated_at
  FROM integration_configs WHERE system = 'cantaloupe' AND removed_at IS NULL;
--> statement-breakpoint
CREATE VIEW cantaloupe_devices AS
  SELECT id, config_id, machine_id AS vending_machine_id, vendor_id AS device_id, serial_number, model,
         concat_ws(', ', name, city, state) AS location, status, last_seen_at AS last_seen, firmware, link
  FROM vendor_devices WHERE system = 'cantaloupe' AND NOT removed;
--> statement-breakpoint
CREATE VIEW cantaloupe_transactions AS
  SELECT s.id, s.config_id, s.device_id, d.machine_id AS vending_machine_id, s.vendor_id AS transaction_id, s.amount, s.currency,
         s.payment_method, s.card_type, s.last_four, s.status, s.product_name, s.product_code, s.quantity,
         s.sold_at AS transaction_date, s.processed_at, s.raw AS metadata, s.outcome
  FROM vendor_sales s LEFT JOIN vendor_devices d ON d.config_id = s.config_id AND d.vendor_id = s.device_id
  WHERE s.system = 'cantaloupe';
--> statement-breakpoint
-- A payload that was emptied after its time is null.
CREATE VIEW cantaloupe_webhooks AS
  SELECT id, config_id, event_type, encode(body, 'escape') AS payload, signature, processed_at IS NOT NULL AS processed,
         processed_at, received_at, error
  FROM webhook_deliveries WHERE system = 'cantaloupe';
