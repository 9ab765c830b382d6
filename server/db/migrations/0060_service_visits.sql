ALTER TABLE "route_stops" ADD COLUMN "service_visits" integer NOT NULL DEFAULT 0;
