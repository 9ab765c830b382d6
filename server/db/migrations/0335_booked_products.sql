-- Partners that tell the slot alone: their rows say what the sale was booked as.
ALTER TABLE vendor_sales ADD COLUMN booked_product varchar(255);
--> statement-breakpoint
-- Of what is booked already, where all lines of the transaction are one product.
UPDATE vendor_sales v SET booked_product = s.name
FROM (SELECT w.id, max(s.product_name) AS name
      FROM vendor_sales w JOIN sales s ON s.transaction_id = w.ledger_id AND s.source = w.ledger_source
      WHERE w.product_name IS NULL AND w.outcome = 'booked'
      GROUP BY w.id HAVING count(DISTINCT s.product_name) = 1 AND count(*) = count(s.product_name)) s
WHERE s.id = v.id;
--> statement-breakpoint
CREATE OR REPLACE VIEW cantaloupe_transactions AS
  SELECT s.id, s.config_id, s.device_id, d.machine_id AS vending_machine_id, s.vendor_id AS transaction_id, s.amount, s.currency,
         s.payment_method, s.card_type, s.last_four, s.status, coalesce(s.product_name, s.booked_product) AS product_name, s.product_code, s.quantity,
         s.sold_at AS transaction_date, s.processed_at, s.raw AS metadata, s.outcome
  FROM vendor_sales s LEFT JOIN vendor_devices d ON d.config_id = s.config_id AND d.vendor_id = s.device_id
  WHERE s.system = 'cantaloupe';
--> statement-breakpoint
CREATE OR REPLACE VIEW nayax_transactions AS
  SELECT s.id, s.config_id, coalesce(d.details ->> 'deviceId', s.device_id) AS device_id, s.vendor_id AS transaction_id, s.order_id,
         s.amount, s.currency, s.payment_method, s.card_type, s.last_four, s.status, s.product_code, coalesce(s.product_name, s.booked_product) AS product_name, s.quantity,
         s.sold_at AS transaction_date, s.processed_at, s.details ->> 'responseCode' AS response_code,
         s.details ->> 'responseMessage' AS response_message, s.raw AS metadata, d.name AS machine_name, d.machine_id AS vending_machine_id,
         s.outcome
  FROM vendor_sales s LEFT JOIN vendor_devices d ON d.config_id = s.config_id AND d.vendor_id = s.device_id
  WHERE s.system = 'nayax';
--> statement-breakpoint
CREATE OR REPLACE VIEW nama_vdi_transactions AS
  SELECT id, config_id, device_id, vendor_id AS transaction_id, coalesce(details ->> 'transactionType', 'sale') AS transaction_type,
         product_code, coalesce(product_name, booked_product) AS product_name, quantity, unit_price, amount AS total_amount, currency, payment_method,
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
CREATE OR REPLACE VIEW payments AS
  SELECT 'ledger'::text AS origin, s.id * 2 AS sort_id, split_part(s.source, ':', 1)::varchar AS system, NULL::integer AS config_id,
         s.transaction_id::varchar AS payment_id, s.event_id, NULL::varchar AS device_id, s.machine_id, s.market_id,
         CASE WHEN s.machine_id IS NULL THEN 'market:' || s.market_id ELSE 'vending_machine:' || s.machine_id END AS place,
         s.product_name, s.quantity, s.total_amount::numeric AS amount,
         payment_revenue(ledger_status(s.successful, s.refunded), s.total_amount) AS revenue, NULL::numeric AS fee, s.currency,
         coalesce(s.payment_method, '')::varchar AS payment_method, ''::varchar AS card_type, NULL::varchar AS last_four,
         ledger_status(s.successful, s.refunded) AS status, s.sale_date AS paid_at
  FROM sales s WHERE NOT is_partner(s.source)
  UNION ALL
  SELECT 'partner'::text, v.id * 2 + 1, v.system, v.config_id, v.vendor_id, NULL, coalesce(v.device_id, v.integration_id), d.machine_id, d.market_id,
         'device:' || v.config_id || ':' || coalesce(v.device_id, v.integration_id, ''),
         coalesce(v.product_name, v.booked_product), v.quantity, v.amount,
         payment_revenue(partner_status(v.status, v.outcome), v.amount), v.fee, v.currency,
         coalesce(v.payment_method, ''), coalesce(v.card_type, ''), v.last_four, partner_status(v.status, v.outcome), v.sold_at
  FROM vendor_sales v LEFT JOIN vendor_devices d ON d.config_id = v.config_id AND d.vendor_id = v.device_id
  WHERE is_payment(v.outcome, v.details);
