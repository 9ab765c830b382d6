CREATE TABLE "travel_rows" (
  "profile" varchar(30) NOT NULL,
  "version" text NOT NULL,
  "from_lat" integer NOT NULL,
  "from_lng" integer NOT NULL,
  "cells" bytea NOT NULL,
  "used_at" timestamp with time zone NOT NULL DEFAULT now(),
  PRIMARY KEY ("profile", "version", "from_lat", "from_lng")
);
--> statement-breakpoint
CREATE INDEX "travel_rows_used" ON "travel_rows" ("used_at");
--> statement-breakpoint
CREATE TABLE "travel_estimates" (
  "id" integer PRIMARY KEY DEFAULT 1,
  "detour_factor" double precision NOT NULL,
  "town_kmh" double precision NOT NULL,
  "around_kmh" double precision NOT NULL,
  "beyond_kmh" double precision NOT NULL,
  "legs" integer NOT NULL,
  "measured_legs" integer NOT NULL,
  "error_before_min" double precision NOT NULL,
  "error_after_min" double precision NOT NULL,
  "fitted_at" timestamp with time zone NOT NULL,
  CONSTRAINT "travel_estimates_one_row" CHECK ("id" = 1)
);
