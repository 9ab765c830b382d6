-- Resolved alerts, the newest first: thousands of open ones may be newer.
CREATE INDEX "machine_alerts_resolved" ON "vending_machine_alerts" ("created_at" DESC, "id" DESC) WHERE resolved_at is not null;
