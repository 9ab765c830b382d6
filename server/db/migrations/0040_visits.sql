CREATE TABLE "visits" (
  "id" uuid PRIMARY KEY,
  "market_id" integer,
  "vending_machine_id" integer,
  "route_id" integer,
  "stop_id" integer,
  "actor_id" integer,
  "device_id" uuid,
  "device_seq" bigint NOT NULL,
  "opened_at" timestamp with time zone NOT NULL,
  "closed_at" timestamp with time zone,
  "note" varchar(500),
  "bag_number" varchar(50),
  "refunds" numeric(10, 2),
  "photo_ids" text[] NOT NULL DEFAULT '{}',
  "latitude" numeric(6, 3),
  "longitude" numeric(7, 3),
  "saved_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "visits_one_location" CHECK ((market_id IS NULL) <> (vending_machine_id IS NULL))
);
--> statement-breakpoint
CREATE INDEX "visits_market" ON "visits" ("market_id", "opened_at");
--> statement-breakpoint
CREATE INDEX "visits_machine" ON "visits" ("vending_machine_id", "opened_at");
--> statement-breakpoint
CREATE INDEX "visits_route" ON "visits" ("route_id");
--> statement-breakpoint
CREATE INDEX "visits_photos" ON "visits" USING gin ("photo_ids");
--> statement-breakpoint
CREATE TABLE "photos" (
  "hash" varchar(64) PRIMARY KEY,
  "width" integer NOT NULL,
  "height" integer NOT NULL,
  "content" bytea NOT NULL,
  "uploaded_by" integer,
  "uploaded_at" timestamp with time zone NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX "photos_uploaded" ON "photos" ("uploaded_at");
--> statement-breakpoint
ALTER TABLE stock_movements ADD COLUMN visit_id uuid;
--> statement-breakpoint
CREATE INDEX stock_movements_visit ON stock_movements (visit_id) WHERE visit_id IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "route_stops" ADD COLUMN "completed_at" timestamp with time zone, ADD COLUMN "expected_arrival" timestamp with time zone;
