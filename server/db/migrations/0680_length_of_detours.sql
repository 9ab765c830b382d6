-- Metres that ways around closed roads are longer by, within the distances that are kept: without them a distance could
-- not follow when a road is closed after a route was planned, or opened again.
ALTER TABLE route_stops ADD COLUMN detour_m integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE routes ADD COLUMN detour_m integer NOT NULL DEFAULT 0;
