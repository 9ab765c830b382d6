-- A quarter of 50,000 places is half a million of their stretches and single days: what a place did in four days in a row, and in 64. Four of
-- these make a stretch, and four stretches the longer ones, so that an end of any range lies few rows from the end of a longer block.
CREATE FUNCTION first_of_days(day date, days integer) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT date '2000-01-01' + days * floor((day - date '2000-01-01') / days::numeric)::integer
$$;
--> statement-breakpoint
CREATE TABLE place_blocks (
  days smallint NOT NULL,
  first_day date NOT NULL,
  location_type varchar(20) NOT NULL,
  location_id integer NOT NULL,
  units integer NOT NULL,
  amount numeric(14,2) NOT NULL,
  cost numeric(14,2) NOT NULL,
  costed numeric(14,2) NOT NULL,
  empty_seconds bigint NOT NULL,
  emptied integer NOT NULL,
  filled integer NOT NULL,
  -- As in place_stretches.
  filled_on bigint NOT NULL,
  PRIMARY KEY (days, first_day, location_type, location_id)
);
--> statement-breakpoint
-- All sums are added to in one order, so that two writers do not wait for each other in a circle. Every place that something is known of
-- has its row of what is so now.
CREATE OR REPLACE FUNCTION add_stock_facts(facts stock_fact[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE item_days IN ROW EXCLUSIVE MODE;
  INSERT INTO place_days AS p (day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, items, empty_now)
  SELECT f.day, f.location_type, f.location_id, sum(f.units), sum(f.amount), sum(f.cost), sum(f.costed), sum(f.empty_seconds),
         sum(f.emptied), sum(f.filled), sum(f.items), 0
  FROM unnest(facts) f WHERE f.day > '-infinity' GROUP BY 1, 2, 3
  HAVING sum(f.units) <> 0 OR sum(f.amount) <> 0 OR sum(f.cost) <> 0 OR sum(f.costed) <> 0 OR sum(f.empty_seconds) <> 0
      OR sum(f.emptied) <> 0 OR sum(f.filled) <> 0
  UNION ALL
  SELECT '-infinity', f.location_type, f.location_id, 0, 0, 0, 0, 0, 0, 0, sum(f.items), sum(f.emptied - f.filled)
  FROM unnest(facts) f GROUP BY 2, 3 HAVING sum(f.items) <> 0 OR sum(f.emptied - f.filled) <> 0
      OR NOT EXISTS (SELECT FROM place_days n
                     WHERE n.day = '-infinity' AND n.location_type = f.location_type AND n.location_id = f.location_id)
  ORDER BY 1, 2, 3
  ON CONFLICT (day, location_type, location_id) DO UPDATE
    SET units = p.units + excluded.units, amount = p.amount + excluded.amount, cost = p.cost + excluded.cost,
        costed = p.costed + excluded.costed, empty_seconds = p.empty_seconds + excluded.empty_seconds,
        emptied = p.emptied + excluded.emptied, filled = p.filled + excluded.filled, items = p.items + excluded.items,
        empty_now = p.empty_now + excluded.empty_now;
  INSERT INTO place_stretches AS p (first_day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, filled_on)
  SELECT stretch_of(f.day), f.location_type, f.location_id, sum(f.units), sum(f.amount), sum(f.cost), sum(f.costed), sum(f.empty_seconds),
         sum(f.emptied), sum(f.filled), sum((f.filled - f.emptied)::bigint * (f.day - date '2000-01-01'))
  FROM unnest(facts) f WHERE f.day > '-infinity' GROUP BY 1, 2, 3
  HAVING sum(f.units) <> 0 OR sum(f.amount) <> 0 OR sum(f.cost) <> 0 OR sum(f.costed) <> 0 OR sum(f.empty_seconds) <> 0
      OR sum(f.emptied) <> 0 OR sum(f.filled) <> 0 OR sum((f.filled - f.emptied)::bigint * (f.day - date '2000-01-01')) <> 0
  ORDER BY 1, 2, 3
  ON CONFLICT (first_day, location_type, location_id) DO UPDATE
    SET units = p.units + excluded.units, amount = p.amount + excluded.amount, cost = p.cost + excluded.cost,
        costed = p.costed + excluded.costed, empty_seconds = p.empty_seconds + excluded.empty_seconds,
        emptied = p.emptied + excluded.emptied, filled = p.filled + excluded.filled, filled_on = p.filled_on + excluded.filled_on;
  INSERT INTO place_blocks AS p (days, first_day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, filled_on)
  SELECT b.days, first_of_days(f.day, b.days), f.location_type, f.location_id, sum(f.units), sum(f.amount), sum(f.cost), sum(f.costed),
         sum(f.empty_seconds), sum(f.emptied), sum(f.filled), sum((f.filled - f.emptied)::bigint * (f.day - date '2000-01-01'))
  FROM unnest(facts) f CROSS JOIN (VALUES (4), (64)) AS b(days) WHERE f.day > '-infinity' GROUP BY 1, 2, 3, 4
  HAVING sum(f.units) <> 0 OR sum(f.amount) <> 0 OR sum(f.cost) <> 0 OR sum(f.costed) <> 0 OR sum(f.empty_seconds) <> 0
      OR sum(f.emptied) <> 0 OR sum(f.filled) <> 0 OR sum((f.filled - f.emptied)::bigint * (f.day - date '2000-01-01')) <> 0
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (days, first_day, location_type, location_id) DO UPDATE
    SET units = p.units + excluded.units, amount = p.amount + excluded.amount, cost = p.cost + excluded.cost,
        costed = p.costed + excluded.costed, empty_seconds = p.empty_seconds + excluded.empty_seconds,
        emptied = p.emptied + excluded.emptied, filled = p.filled + excluded.filled, filled_on = p.filled_on + excluded.filled_on;
  INSERT INTO designation_days AS r (day, route_designation, units, amount, cost, costed, empty_seconds, emptied, filled, items, empty_now)
  WITH routed AS MATERIALIZED (
    SELECT f.*, coalesce(v.route_designation, k.route_designation, '') AS route_designation
    FROM unnest(facts) f
    LEFT JOIN LATERAL (SELECT m.route_designation FROM vending_machines m
      WHERE f.location_type = 'vending_machine' AND m.id = f.location_id OFFSET 0) v ON true
    LEFT JOIN LATERAL (SELECT m.route_designation FROM markets m
      WHERE f.location_type = 'market' AND m.id = f.location_id OFFSET 0) k ON true
  )
  SELECT f.day, f.route_designation, sum(f.units), sum(f.amount), sum(f.cost), sum(f.costed), sum(f.empty_seconds), sum(f.emptied),
         sum(f.filled), 0, 0
  FROM routed f WHERE f.day > '-infinity' GROUP BY 1, 2
  HAVING sum(f.units) <> 0 OR sum(f.amount) <> 0 OR sum(f.cost) <> 0 OR sum(f.costed) <> 0 OR sum(f.empty_seconds) <> 0
      OR sum(f.emptied) <> 0 OR sum(f.filled) <> 0
  UNION ALL
  SELECT '-infinity', f.route_designation, 0, 0, 0, 0, 0, 0, 0, sum(f.items), sum(f.emptied - f.filled)
  FROM routed f GROUP BY 2 HAVING sum(f.items) <> 0 OR sum(f.emptied - f.filled) <> 0
  ORDER BY 1, 2
  ON CONFLICT (day, route_designation) DO UPDATE
    SET units = r.units + excluded.units, amount = r.amount + excluded.amount, cost = r.cost + excluded.cost,
        costed = r.costed + excluded.costed, empty_seconds = r.empty_seconds + excluded.empty_seconds,
        emptied = r.emptied + excluded.emptied, filled = r.filled + excluded.filled, items = r.items + excluded.items,
        empty_now = r.empty_now + excluded.empty_now;
  INSERT INTO kind_days AS k (day, item_type, product_id, product_name, category, own_cost, units, amount, spoiled, missing,
                              empty_seconds, emptied, filled, items, empty_now)
  SELECT f.day, f.item_type, f.product_id, f.product_name, f.category, f.own_cost, sum(f.units), sum(f.amount), sum(f.spoiled),
         sum(f.missing), sum(f.empty_seconds), sum(f.emptied), sum(f.filled), 0, 0
  FROM unnest(facts) f WHERE f.day > '-infinity' GROUP BY 1, 2, 3, 4, 5, 6
  HAVING sum(f.units) <> 0 OR sum(f.amount) <> 0 OR sum(f.spoiled) <> 0 OR sum(f.missing) <> 0 OR sum(f.empty_seconds) <> 0
      OR sum(f.emptied) <> 0 OR sum(f.filled) <> 0
  UNION ALL
  SELECT '-infinity', f.item_type, f.product_id, f.product_name, f.category, f.own_cost, 0, 0, 0, 0, 0, 0, 0, sum(f.items),
         sum(f.emptied - f.filled)
  FROM unnest(facts) f GROUP BY 2, 3, 4, 5, 6 HAVING sum(f.items) <> 0 OR sum(f.emptied - f.filled) <> 0
  ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (day, item_type, product_id, product_name, category, own_cost) DO UPDATE
    SET units = k.units + excluded.units, amount = k.amount + excluded.amount, spoiled = k.spoiled + excluded.spoiled,
        missing = k.missing + excluded.missing, empty_seconds = k.empty_seconds + excluded.empty_seconds,
        emptied = k.emptied + excluded.emptied, filled = k.filled + excluded.filled, items = k.items + excluded.items,
        empty_now = k.empty_now + excluded.empty_now;
  INSERT INTO kind_stretches AS k (first_day, product_id, product_name, category, own_cost, units, amount, empty_seconds, emptied, filled, filled_on)
  SELECT stretch_of(f.day), f.product_id, f.product_name, f.category, f.own_cost, sum(f.units), sum(f.amount), sum(f.empty_seconds),
         sum(f.emptied), sum(f.filled), sum((f.filled - f.emptied)::bigint * (f.day - date '2000-01-01'))
  FROM unnest(facts) f WHERE f.day > '-infinity' GROUP BY 1, 2, 3, 4, 5
  HAVING sum(f.units) <> 0 OR sum(f.amount) <> 0 OR sum(f.empty_seconds) <> 0 OR sum(f.emptied) <> 0 OR sum(f.filled) <> 0
      OR sum((f.filled - f.emptied)::bigint * (f.day - date '2000-01-01')) <> 0
  ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (first_day, product_id, product_name, category, own_cost) DO UPDATE
    SET units = k.units + excluded.units, amount = k.amount + excluded.amount, empty_seconds = k.empty_seconds + excluded.empty_seconds,
        emptied = k.emptied + excluded.emptied, filled = k.filled + excluded.filled, filled_on = k.filled_on + excluded.filled_on;
END $$;
--> statement-breakpoint
-- All of the sums anew. Whoever would add to them waits.
CREATE OR REPLACE FUNCTION rebuild_stock_days() RETURNS void LANGUAGE plpgsql SET work_mem = '64MB' SET jit = off AS $$
BEGIN
  LOCK TABLE item_days IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM kind_days;
  DELETE FROM kind_stretches;
  DELETE FROM place_days;
  DELETE FROM place_stretches;
  DELETE FROM place_blocks;
  DELETE FROM designation_days;
  INSERT INTO kind_days (day, item_type, product_id, product_name, category, own_cost, units, amount, spoiled, missing, empty_seconds,
                         emptied, filled, items, empty_now)
  SELECT d.day, s.item_type, s.product_id, s.product_name, s.category, s.own_cost, sum(d.units), sum(d.amount), sum(d.spoiled),
         sum(d.missing), coalesce(sum(d.sold_out_seconds) FILTER (WHERE s.living), 0), count(*) FILTER (WHERE s.living AND d.closing = 0),
         count(*) FILTER (WHERE s.living AND d.empty_before), 0, 0
  FROM item_days d JOIN stock_sellers s USING (item_type, item_id) GROUP BY 1, 2, 3, 4, 5, 6;
  INSERT INTO kind_days (day, item_type, product_id, product_name, category, own_cost, units, amount, spoiled, missing, empty_seconds,
                         emptied, filled, items, empty_now)
  SELECT '-infinity', item_type, product_id, product_name, category, own_cost, 0, 0, 0, 0, 0, 0, 0, sum(items), sum(empty_now)
  FROM (SELECT item_type, product_id, product_name, category, own_cost, count(*) AS items, 0 AS empty_now
        FROM stock_sellers WHERE living GROUP BY 1, 2, 3, 4, 5
        UNION ALL
        SELECT item_type, product_id, product_name, category, own_cost, 0, emptied - filled FROM kind_days) k
  GROUP BY 2, 3, 4, 5, 6;
  INSERT INTO kind_stretches (first_day, product_id, product_name, category, own_cost, units, amount, empty_seconds, emptied, filled, filled_on)
  SELECT stretch_of(day), product_id, product_name, category, own_cost, sum(units), sum(amount), sum(empty_seconds), sum(emptied), sum(filled),
         sum((filled - emptied)::bigint * (day - date '2000-01-01'))
  FROM kind_days WHERE day > '-infinity' GROUP BY 1, 2, 3, 4, 5;
  INSERT INTO place_days (day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, items, empty_now)
  SELECT d.day, s.location_type, s.location_id, sum(d.units), sum(d.amount), coalesce(sum(d.units * s.cost), 0),
         coalesce(sum(d.amount) FILTER (WHERE s.cost IS NOT NULL), 0), coalesce(sum(d.sold_out_seconds) FILTER (WHERE s.living), 0),
         count(*) FILTER (WHERE s.living AND d.closing = 0), count(*) FILTER (WHERE s.living AND d.empty_before), 0, 0
  FROM item_days d JOIN stock_sellers s USING (item_type, item_id) GROUP BY 1, 2, 3;
  INSERT INTO place_days (day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, items, empty_now)
  SELECT '-infinity', location_type, location_id, 0, 0, 0, 0, 0, 0, 0, sum(items), sum(empty_now)
  FROM (SELECT location_type, location_id, count(*) AS items, 0 AS empty_now FROM stock_sellers WHERE living GROUP BY 1, 2
        UNION ALL SELECT location_type, location_id, 0, emptied - filled FROM place_days) p
  GROUP BY 2, 3;
  INSERT INTO place_stretches (first_day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, filled_on)
  SELECT stretch_of(day), location_type, location_id, sum(units), sum(amount), sum(cost), sum(costed), sum(empty_seconds), sum(emptied),
         sum(filled), sum((filled - emptied)::bigint * (day - date '2000-01-01'))
  FROM place_days WHERE day > '-infinity' GROUP BY 1, 2, 3;
  INSERT INTO place_blocks (days, first_day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, filled_on)
  SELECT 4, first_of_days(day, 4), location_type, location_id, sum(units), sum(amount), sum(cost), sum(costed), sum(empty_seconds),
         sum(emptied), sum(filled), sum((filled - emptied)::bigint * (day - date '2000-01-01'))
  FROM place_days WHERE day > '-infinity' GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT 64, first_of_days(first_day, 64), location_type, location_id, sum(units), sum(amount), sum(cost), sum(costed), sum(empty_seconds),
         sum(emptied), sum(filled), sum(filled_on)
  FROM place_stretches GROUP BY 1, 2, 3, 4
  ORDER BY 1, 2, 3, 4;
  INSERT INTO designation_days (day, route_designation, units, amount, cost, costed, empty_seconds, emptied, filled, items, empty_now)
  SELECT p.day, coalesce(v.route_designation, k.route_designation, ''), sum(p.units), sum(p.amount), sum(p.cost), sum(p.costed),
         sum(p.empty_seconds), sum(p.emptied), sum(p.filled), sum(p.items), sum(p.empty_now)
  FROM place_days p
  LEFT JOIN vending_machines v ON p.location_type = 'vending_machine' AND v.id = p.location_id
  LEFT JOIN markets k ON p.location_type = 'market' AND k.id = p.location_id
  GROUP BY 1, 2;
END $$;
--> statement-breakpoint
-- Nobody adds to the sums meanwhile.
LOCK TABLE item_days IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
INSERT INTO place_blocks (days, first_day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, filled_on)
SELECT 4, first_of_days(day, 4), location_type, location_id, sum(units), sum(amount), sum(cost), sum(costed), sum(empty_seconds),
       sum(emptied), sum(filled), sum((filled - emptied)::bigint * (day - date '2000-01-01'))
FROM place_days WHERE day > '-infinity' GROUP BY 1, 2, 3, 4
UNION ALL
SELECT 64, first_of_days(first_day, 64), location_type, location_id, sum(units), sum(amount), sum(cost), sum(costed), sum(empty_seconds),
       sum(emptied), sum(filled), sum(filled_on)
FROM place_stretches GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO place_days (day, location_type, location_id, units, amount, cost, costed, empty_seconds, emptied, filled, items, empty_now)
SELECT DISTINCT date '-infinity', location_type, location_id, 0, 0::numeric, 0::numeric, 0::numeric, 0, 0, 0, 0, 0 FROM place_stretches
ON CONFLICT DO NOTHING;
--> statement-breakpoint
-- A page of places reads the days and blocks of these alone.
CREATE INDEX place_blocks_place ON place_blocks (location_type, location_id, days, first_day);
--> statement-breakpoint
CREATE INDEX place_days_of_place ON place_days (location_type, location_id, day);
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX place_days_place;
--> statement-breakpoint
-- What sold before and has no items now is told of only where it sold in the days that are asked for.
CREATE INDEX place_days_bare ON place_days (location_type, location_id) WHERE day = '-infinity' AND items = 0;
--> statement-breakpoint
ANALYZE place_blocks;
