-- A search of the alerts reads every message: in the form that words are looked for, it need not be made at each reading.
-- squawk-ignore adding-field-with-default
ALTER TABLE vending_machine_alerts ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (plain_text(message)) STORED;
--> statement-breakpoint
-- The units of all machines are summed out of the index as well. Each movement of stock writes it anew already.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX vending_machines_sums;
--> statement-breakpoint
CREATE INDEX vending_machines_sums ON vending_machines (route_designation)
  INCLUDE (status, slot_count, slots_under_percent, updated_at, last_restocked, current_stock) WHERE deleted_at IS NULL;
