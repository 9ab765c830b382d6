-- Very many alerts may be of one moment, as after a broken line, and tell each other apart by their number alone.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "machine_alerts_open";--> statement-breakpoint
CREATE INDEX "machine_alerts_open" ON "vending_machine_alerts" ("created_at" DESC, "id" DESC) WHERE resolved_at is null;--> statement-breakpoint
-- Machines by how much runs low there, in the order in which a list of machines and markets has them.
CREATE INDEX "vending_machines_low" ON "vending_machines" ("low_slots", (id::bigint * 2 + 1)) WHERE deleted_at is null and low_slots > 0;
