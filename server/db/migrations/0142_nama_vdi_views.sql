-- NAMA VDI under the names and columns that its records have had from the start. Secrets are only said to be set.
CREATE VIEW nama_vdi_configs AS
  SELECT id, name, settings ->> 'vmsSystemId' AS vms_system_id, settings ->> 'mmsSystemId' AS mms_system_id,
         settings ->> 'apiEndpoint' AS api_endpoint, CASE WHEN secret_hints -> 'apiKey' IS NOT NULL THEN 'set' END AS api_key,
         coalesce(settings ->> 'version', '2.0') AS version, coalesce(settings ->> 'environment', 'production') AS environment,
         coalesce((settings ->> 'enableDexData')::boolean, true) AS enable_dex_data,
         coalesce((settings ->> 'enableTransactionData')::boolean, true) AS enable_transaction_data,
         coalesce((settings ->> 'enableOperationalData')::boolean, true) AS enable_operational_data,
         last_sync_at AS last_sync,
         CASE WHEN NOT is_active THEN 'inactive' WHEN problem IS NOT NULL THEN 'error'
              WHEN status = 'maintenance' THEN 'maintenance' ELSE 'active' END AS status,
         created_at, updated_at
  FROM integration_configs WHERE system = 'nama_vdi' AND removed_at IS NULL;
--> statement-breakpoint
CREATE VIEW nama_vdi_devices AS
  SELECT d.id, d.config_id, d.vendor_id AS device_id, coalesce(d.details ->> 'deviceType', 'kiosk') AS device_type,
         d.serial_number, d.model,
         coalesce(nullif(concat_ws(', ', d.address, d.city, d.state), ''), m.name, v.location, d.name) AS location,
         coalesce(d.latitude, m.latitude, v.latitude) AS latitude, coalesce(d.longitude, m.longitude, v.longitude) AS longitude,
         d.status, d.last_seen_at AS last_seen, d.firmware,
         coalesce((SELECT jsonb_agg(DISTINCT t.document_type ORDER BY t.document_type) FROM vdi_documents t
                   WHERE t.config_id = d.config_id), '[]'::jsonb) AS capabilities,
         d.raw AS metadata, d.name, d.market_id, d.machine_id AS vending_machine_id, d.link
  FROM vendor_devices d
  LEFT JOIN markets m ON m.id = d.market_id
  LEFT JOIN vending_machines v ON v.id = d.machine_id
  WHERE d.system = 'nama_vdi' AND NOT d.removed;
--> statement-breakpoint
CREATE VIEW nama_vdi_transactions AS
  SELECT id, config_id, device_id, vendor_id AS transaction_id, coalesce(details ->> 'transactionType', 'sale') AS transaction_type,
         product_code, product_name, quantity, unit_price, amount AS total_amount, currency, payment_method,
         details -> 'paymentData' AS payment_data, sold_at AS transaction_date, created_at AS processed_at, status,
         details ->> 'errorMessage' AS error_message, NULL::text AS dex_data, raw AS metadata, outcome
  FROM vendor_sales WHERE system = 'nama_vdi'
  UNION ALL
  -- What DEX files that came by VDI told: one row for a file, with its text.
  SELECT -r.id, substr(r.origin, 10)::integer, r.serial_number, 'dex:' || left(r.content_hash, 32), 'dex_sale', NULL, NULL,
         coalesce((SELECT sum((s ->> 'vends')::integer) FROM jsonb_array_elements(r.sold -> 'selections') s), 0)::integer,
         0, 0, NULL, NULL, NULL, r.read_at, r.received_at, CASE WHEN r.outcome = 'damaged' THEN 'failed' ELSE 'completed' END,
         CASE WHEN r.outcome = 'damaged' THEN 'The checksum does not hold.' END, encode(r.bytes, 'escape'), r.sold, r.outcome
  FROM dex_reads r WHERE r.origin ~ '^nama_vdi:[0-9]+$';
--> statement-breakpoint
CREATE VIEW nama_vdi_alerts AS
  SELECT id, config_id, device_id, alert_type, severity, message, code AS alert_code, resolved_at IS NOT NULL AS resolved,
         resolved_at, resolved_by, raw AS alert_data, raised_at AS created_at
  FROM vendor_alerts WHERE system = 'nama_vdi';
--> statement-breakpoint
CREATE VIEW nama_vdi_sync_jobs AS
  SELECT id, config_id, job_type,
         CASE status WHEN 'succeeded' THEN 'completed' WHEN 'abandoned' THEN 'failed' ELSE status END AS status, started_at,
         completed_at, records_processed, error_count, coalesce(error_details, '[]'::jsonb) AS error_details,
         last_sync_at AS last_sync_date, next_sync_at AS next_sync_date, cause, created_at
  FROM sync_runs WHERE system = 'nama_vdi';
