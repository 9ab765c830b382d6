ALTER TABLE "markets" ADD COLUMN "access_hours" varchar(255);
--> statement-breakpoint
ALTER TABLE "vending_machines" ADD COLUMN "access_hours" varchar(255);
--> statement-breakpoint
CREATE TABLE "day_plans" (
  "id" uuid PRIMARY KEY,
  "date" date NOT NULL,
  "status" varchar(12) NOT NULL,
  "message" text,
  "search_id" uuid,
  "version" integer NOT NULL DEFAULT 1,
  "input" jsonb NOT NULL,
  "arrangement" jsonb NOT NULL,
  "earlier" jsonb NOT NULL DEFAULT '[]',
  "reasons" jsonb NOT NULL DEFAULT '{}',
  "progress" jsonb NOT NULL DEFAULT '[]',
  "elapsed_ms" integer NOT NULL DEFAULT 0,
  "time_limit_ms" integer NOT NULL,
  "route_ids" jsonb NOT NULL DEFAULT '[]',
  "created_by" integer,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  "updated_at" timestamp with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX "day_plans_created" ON "day_plans" ("created_at");
