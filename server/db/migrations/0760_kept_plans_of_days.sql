-- Asked with each upload: a function in SQL is planned anew each time, one in PL/pgSQL once for each connection.
CREATE OR REPLACE FUNCTION first_kept_day(of_parent text) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(ceiled.day, '0001-01-02') FROM (
    SELECT (border + interval '1 day' - interval '1 microsecond')::date AS day FROM (
      SELECT max(month + interval '1 month') AT TIME ZONE 'UTC'
               AT TIME ZONE coalesce((SELECT time_zone FROM operator WHERE id = 1), 'UTC') AS border
      FROM rolled_up_months WHERE parent = of_parent) local) ceiled);
END $$;
--> statement-breakpoint
-- Each upload asks whose routes lead to its places: all visits of years are told by the index alone.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "route_stops_market";
--> statement-breakpoint
CREATE INDEX "route_stops_market" ON "route_stops" ("market_id", "route_id");
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "route_stops_machine";
--> statement-breakpoint
CREATE INDEX "route_stops_machine" ON "route_stops" ("vending_machine_id", "route_id");
