-- Administration adds up what every machine keeps, and rows of machines are wide: it reads these columns only.
CREATE INDEX vending_machines_sums ON vending_machines (route_designation)
  INCLUDE (status, slot_count, slots_under_percent, updated_at, last_restocked) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX vending_machines_stock ON vending_machines ((current_stock::float8 / greatest(1, capacity)), id) WHERE deleted_at IS NULL;
