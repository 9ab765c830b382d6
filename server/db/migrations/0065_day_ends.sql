CREATE TABLE "day_ends" (
  "user_id" integer NOT NULL REFERENCES "users" ("id") ON DELETE CASCADE,
  "date" date NOT NULL,
  "event_id" uuid NOT NULL,
  "ended_at" timestamp with time zone NOT NULL,
  "route_ids" integer[] NOT NULL DEFAULT '{}',
  "returns" jsonb NOT NULL,
  "bag_numbers" text[] NOT NULL DEFAULT '{}',
  "units_filled" integer NOT NULL,
  "unsent" integer NOT NULL,
  PRIMARY KEY ("user_id", "date")
);
--> statement-breakpoint
CREATE INDEX "day_ends_date" ON "day_ends" ("date");
