-- A DEX file is a transaction where something was booked of it. A first reading, counters that stood still and sales that
-- another system tells are none; a damaged file stays, with what is wrong.
CREATE OR REPLACE VIEW nama_vdi_transactions AS
  SELECT id, config_id, device_id, vendor_id AS transaction_id, coalesce(details ->> 'transactionType', 'sale') AS transaction_type,
         product_code, coalesce(product_name, booked_product) AS product_name, quantity, unit_price, amount AS total_amount, currency, payment_method,
         details -> 'paymentData' AS payment_data, sold_at AS transaction_date, created_at AS processed_at, status,
         details ->> 'errorMessage' AS error_message, NULL::text AS dex_data, raw AS metadata, outcome
  FROM vendor_sales WHERE system = 'nama_vdi'
  UNION ALL
  SELECT -r.id, substr(r.origin, 10)::integer, r.serial_number, 'dex:' || left(r.content_hash, 32), 'dex_sale', NULL, NULL,
         coalesce(s.units, 0)::integer, 0::numeric, coalesce(s.amount, 0), s.currency, NULL, NULL, r.read_at, r.received_at,
         CASE WHEN r.outcome = 'damaged' THEN 'failed' ELSE 'completed' END,
         CASE WHEN r.outcome = 'damaged' THEN 'The checksum does not hold.' END, encode(r.bytes, 'escape'), r.sold, r.outcome
  FROM dex_reads r LEFT JOIN LATERAL
    (SELECT sum(s.quantity) AS units, sum(s.total_amount) AS amount, min(s.currency)::varchar AS currency FROM sales s
     WHERE s.source = 'dex:' || r.machine_id AND s.transaction_id = left(r.content_hash, 32)) s ON true
  WHERE r.origin ~ '^nama_vdi:[0-9]+$' AND (r.booked > 0 OR r.outcome = 'damaged');
