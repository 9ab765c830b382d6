-- The page of alerts opens on the gravest: without an index all that are open were sorted for each fifty of them.
CREATE INDEX machine_alerts_gravest ON vending_machine_alerts
  (array_position(ARRAY['low', 'medium', 'high', 'critical'], severity::text) DESC, created_at DESC, id DESC)
  WHERE resolved_at IS NULL;
