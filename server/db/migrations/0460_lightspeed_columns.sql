-- Products are told by the id of the product, one row for each outlet that has it; what is secret is only said to be set.
DROP VIEW lightspeed_configs, lightspeed_products;
--> statement-breakpoint
CREATE VIEW lightspeed_configs AS
  SELECT id, name, settings ->> 'clientId' AS client_id, CASE WHEN secret_hints -> 'clientSecret' IS NOT NULL THEN 'set' END AS client_secret,
         settings ->> 'redirectUri' AS redirect_uri, settings ->> 'domainPrefix' AS domain_prefix,
         CASE WHEN tokens IS NOT NULL THEN 'set' END AS access_token, CASE WHEN tokens IS NOT NULL THEN 'set' END AS refresh_token,
         tokens_expire_at AS expires_at, is_active, last_sync_at AS last_sync, created_at, updated_at
  FROM integration_configs WHERE system = 'lightspeed' AND removed_at IS NULL;
--> statement-breakpoint
CREATE VIEW lightspeed_products AS
  SELECT s.id, coalesce(s.details ->> 'lightspeedId', s.vendor_id) AS lightspeed_id, s.config_id, s.product_name AS name,
         coalesce(p.sku, s.details ->> 'sku') AS sku, coalesce(p.description, s.details ->> 'description') AS description,
         coalesce(s.price, p.price) AS price, coalesce(p.cost, (s.details ->> 'cost')::numeric) AS cost,
         coalesce(p.category, s.details ->> 'category') AS category, coalesce(p.supplier, s.details ->> 'supplier') AS supplier,
         s.quantity AS current_quantity, s.minimum AS reorder_point, (s.details ->> 'reorderLevel')::numeric AS reorder_level,
         s.device_id AS location_id, coalesce(d.name, s.details ->> 'locationName') AS location_name, s.updated_at AS last_sync_at
  FROM vendor_stock s
  LEFT JOIN vendor_products p ON p.config_id = s.config_id AND p.vendor_id = s.details ->> 'lightspeedId'
  LEFT JOIN vendor_devices d ON d.config_id = s.config_id AND d.vendor_id = s.device_id
  WHERE s.system = 'lightspeed' AND NOT s.removed;
