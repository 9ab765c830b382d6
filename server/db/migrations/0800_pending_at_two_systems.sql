-- A pending sale that another system tells as well is in no ledger yet.
CREATE OR REPLACE VIEW moma_sales AS
  SELECT s.id, s.config_id, s.device_id AS machine_id, s.product_code, s.product_name, s.quantity, s.unit_price AS price,
         s.amount AS total_amount, s.payment_method, s.vendor_id AS transaction_id, s.sold_at AS sale_date,
         s.outcome IN ('booked', 'same') AND s.status <> 'pending' AS synced, s.status, d.name AS machine_name,
         d.machine_id AS vending_machine_id
  FROM vendor_sales s LEFT JOIN vendor_devices d ON d.config_id = s.config_id AND d.vendor_id = s.device_id
  WHERE s.system = 'moma';
