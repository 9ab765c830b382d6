CREATE OR REPLACE VIEW nama_vdi_transactions AS
  SELECT id, config_id, device_id, vendor_id AS transaction_id, coalesce(details ->> 'transactionType', 'sale') AS transaction_type,
         product_code, product_name, quantity, unit_price, amount AS total_amount, currency, payment_method,
         details -> 'paymentData' AS payment_data, sold_at AS transaction_date, created_at AS processed_at, status,
         details ->> 'errorMessage' AS error_message, NULL::text AS dex_data, raw AS metadata, outcome
  FROM vendor_sales WHERE system = 'nama_vdi'
  UNION ALL
  -- What DEX files that came by VDI told: one row for a file, with its text and what was booked of it.
  SELECT -r.id, substr(r.origin, 10)::integer, r.serial_number, 'dex:' || left(r.content_hash, 32), 'dex_sale', NULL, NULL,
         coalesce((SELECT sum((s ->> 'vends')::integer) FROM jsonb_array_elements(r.sold -> 'selections') s), 0)::integer,
         0::numeric, coalesce((SELECT sum(s.total_amount) FROM sales s
                      WHERE s.source = 'dex:' || r.machine_id AND s.transaction_id = left(r.content_hash, 32)), 0), NULL, NULL, NULL, r.read_at, r.received_at, CASE WHEN r.outcome = 'damaged' THEN 'failed' ELSE 'completed' END,
         CASE WHEN r.outcome = 'damaged' THEN 'The checksum does not hold.' END, encode(r.bytes, 'escape'), r.sold, r.outcome
  FROM dex_reads r WHERE r.origin ~ '^nama_vdi:[0-9]+$';
--> statement-breakpoint
-- Whoever put it into maintenance knows that it does not work.
CREATE OR REPLACE VIEW nama_vdi_configs AS
  SELECT id, name, settings ->> 'vmsSystemId' AS vms_system_id, settings ->> 'mmsSystemId' AS mms_system_id,
         settings ->> 'apiEndpoint' AS api_endpoint, CASE WHEN secret_hints -> 'apiKey' IS NOT NULL THEN 'set' END AS api_key,
         coalesce(settings ->> 'version', '2.0') AS version, coalesce(settings ->> 'environment', 'production') AS environment,
         coalesce((settings ->> 'enableDexData')::boolean, true) AS enable_dex_data,
         coalesce((settings ->> 'enableTransactionData')::boolean, true) AS enable_transaction_data,
         coalesce((settings ->> 'enableOperationalData')::boolean, true) AS enable_operational_data,
         last_sync_at AS last_sync,
         CASE WHEN NOT is_active THEN 'inactive' WHEN status = 'maintenance' THEN 'maintenance'
              WHEN problem IS NOT NULL THEN 'error' ELSE 'active' END AS status,
         created_at, updated_at
  FROM integration_configs WHERE system = 'nama_vdi' AND removed_at IS NULL;
