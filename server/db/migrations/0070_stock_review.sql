-- What a person decided about an event that was not booked, and when it would have counted.
ALTER TABLE "held_events"
  ADD COLUMN "effective_at" timestamp with time zone,
  ADD COLUMN "resolution" varchar(12),
  ADD COLUMN "resolved_by" integer,
  ADD CONSTRAINT "held_events_resolution" CHECK (resolution IN ('accepted', 'dismissed'));
--> statement-breakpoint
CREATE INDEX "held_events_actor" ON "held_events" ("actor_id", "resolved_at") WHERE resolved_at IS NOT NULL;
--> statement-breakpoint
-- When the two counts were made, and how their difference ended: one of them holds, or somebody counted again.
ALTER TABLE "count_conflicts"
  ADD COLUMN "first_at" timestamp with time zone,
  ADD COLUMN "second_at" timestamp with time zone,
  ADD COLUMN "resolution" varchar(12),
  ADD COLUMN "resolved_by" integer,
  ADD CONSTRAINT "count_conflicts_resolution" CHECK (resolution IN ('first', 'second', 'recounted'));
--> statement-breakpoint
UPDATE "count_conflicts" c SET
  first_at = (SELECT k.effective_at FROM event_keys k WHERE k.event_id = c.first_event_id),
  second_at = (SELECT k.effective_at FROM event_keys k WHERE k.event_id = c.second_event_id);
--> statement-breakpoint
CREATE INDEX "count_conflicts_item" ON "count_conflicts" ("item_type", "item_id") WHERE resolved_at IS NULL;
--> statement-breakpoint
CREATE INDEX "count_conflicts_first_actor" ON "count_conflicts" ("first_actor_id", "created_at");
--> statement-breakpoint
CREATE INDEX "count_conflicts_second_actor" ON "count_conflicts" ("second_actor_id", "created_at");
