ALTER TABLE "route_stops" ADD COLUMN "opens_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "route_stops" ADD COLUMN "closes_at" timestamp with time zone;
