-- Lightspeed's records under the names and columns that their readers know. Secrets and tokens are only said to be set.
CREATE VIEW lightspeed_configs AS
  SELECT c.id, c.name, c.settings->>'clientId' AS client_id, c.secret_hints ? 'clientSecret' AS client_secret_set, c.settings->>'redirectUri' AS redirect_uri, c.settings->>'domainPrefix' AS domain_prefix, c.tokens IS NOT NULL AS access_token_set, c.tokens IS NOT NULL AS refresh_token_set, c.tokens_expire_at AS expires_at, c.is_active, c.created_at, c.updated_at
  FROM integration_configs c WHERE c.system = 'lightspeed' AND c.removed_at IS NULL;
--> statement-breakpoint
CREATE VIEW lightspeed_sales AS
  SELECT min(s.id) AS id, s.ledger_id AS lightspeed_id, s.config_id, min(s.sold_at) AS sale_date,
    sum(s.amount) AS total, sum(s.amount - coalesce(s.tax, 0)) AS subtotal, sum(coalesce(s.tax, 0)) AS tax,
    s.device_id AS location_id, max(d.name) AS location_name, max(s.details->>'customerName') AS customer_name,
    max(s.details->>'customerEmail') AS customer_email, sum(s.quantity)::integer AS item_count
  FROM vendor_sales s LEFT JOIN vendor_devices d ON d.config_id = s.config_id AND d.vendor_id = s.device_id
  WHERE s.system = 'lightspeed' GROUP BY s.config_id, s.ledger_id, s.device_id;
--> statement-breakpoint
CREATE VIEW lightspeed_products AS
  SELECT v.id, v.vendor_id AS lightspeed_id, v.config_id, v.product_name AS name, p.sku, p.description,
    coalesce(v.price, p.price) AS price, p.cost, p.category, p.supplier, v.quantity AS current_quantity,
    v.minimum AS reorder_point, v.details->>'reorderLevel' AS reorder_level, v.device_id AS location_id, d.name AS location_name,
    v.updated_at AS last_sync_at
  FROM vendor_stock v
  LEFT JOIN vendor_products p ON p.config_id = v.config_id AND p.vendor_id = coalesce(v.details->>'productId', v.product_code)
  LEFT JOIN vendor_devices d ON d.config_id = v.config_id AND d.vendor_id = v.device_id
  WHERE v.system = 'lightspeed' AND NOT v.removed;
