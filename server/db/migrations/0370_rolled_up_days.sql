-- A quarter of a large operator is millions of days of items: reports read the sums below, which triggers keep in step with
-- item_days and sales_daily. In the day -infinity stands what is so now: living items, and those empty at the end of their last day.
-- Whether the day before this one in the table ended empty: with it a stretch of empty days begins and ends in rows of its own.
ALTER TABLE item_days ADD COLUMN empty_before boolean NOT NULL DEFAULT false;
--> statement-breakpoint
CREATE TABLE kind_days (
  day date NOT NULL,
  item_type varchar(12) NOT NULL,
  -- 0: not in the catalogue.
  product_id integer NOT NULL,
  product_name varchar(255) NOT NULL,
  -- What the slot itself says; the empty text and -1 stand for nothing, then the product's own count.
  category varchar(100) NOT NULL,
  own_cost numeric(10,2) NOT NULL,
  units integer NOT NULL,
  amount numeric(14,2) NOT NULL,
  spoiled integer NOT NULL,
  missing integer NOT NULL,
  empty_seconds bigint NOT NULL,
  -- Living items that ended the day empty, and those that had ended the day before so.
  emptied integer NOT NULL,
  filled integer NOT NULL,
  items integer NOT NULL,
  empty_now integer NOT NULL,
  PRIMARY KEY (day, item_type, product_id, product_name, category, own_cost)
);
--> statement-breakpoint
CREATE TABLE place_days (
  day date NOT NULL,
  location_type varchar(20) NOT NULL,
  location_id integer NOT NULL,
  units integer NOT NULL,
  amount numeric(14,2) NOT NULL,
  -- What the units cost, and the amount of those whose cost is known.
  cost numeric(14,2) NOT NULL,
  costed numeric(14,2) NOT NULL,
  empty_seconds bigint NOT NULL,
  emptied integer NOT NULL,
  filled integer NOT NULL,
  items integer NOT NULL,
  empty_now integer NOT NULL,
  PRIMARY KEY (day, location_type, location_id)
);
--> statement-breakpoint
CREATE INDEX place_days_place ON place_days (location_type, location_id);
--> statement-breakpoint
-- By the designation that the place has today; the empty text stands for none.
CREATE TABLE designation_days (
  day date NOT NULL,
  route_designation varchar(20) NOT NULL,
  units integer NOT NULL,
  amount numeric(14,2) NOT NULL,
  cost numeric(14,2) NOT NULL,
  costed numeric(14,2) NOT NULL,
  empty_seconds bigint NOT NULL,
  emptied integer NOT NULL,
  filled integer NOT NULL,
  items integer NOT NULL,
  empty_now integer NOT NULL,
  PRIMARY KEY (day, route_designation)
);
--> statement-breakpoint
-- What a slot or item is counted as today. Deleted ones have sold, too.
CREATE VIEW stock_sellers AS
  SELECT 'machine_slot'::varchar(12) AS item_type, s.id AS item_id, 'vending_machine'::varchar(20) AS location_type,
         s.machine_id AS location_id, coalesce(s.product_id, 0) AS product_id, s.product_name, coalesce(s.category, '')::varchar(100) AS category,
         coalesce(s.cost, -1)::numeric(10,2) AS own_cost, coalesce(s.cost, p.unit_cost) AS cost,
         s.deleted_at IS NULL AND m.deleted_at IS NULL AS living, m.route_designation
  FROM vending_machine_inventory s JOIN vending_machines m ON m.id = s.machine_id LEFT JOIN products p ON p.id = s.product_id
  UNION ALL
  SELECT 'market_item', i.id, 'market', i.market_id, coalesce(i.product_id, 0), i.product_name, '', -1, p.unit_cost,
         i.deleted_at IS NULL AND m.deleted_at IS NULL, m.route_designation
  FROM inventory_items i JOIN markets m ON m.id = i.market_id LEFT JOIN products p ON p.id = i.product_id;
--> statement-breakpoint
-- What changed about an item on a day, and what follows from it for the sums.
CREATE TYPE item_change AS (
  item_type varchar(12), item_id integer, day date, units integer, amount numeric, spoiled integer, missing integer,
  empty_seconds bigint, emptied integer, filled integer
);
--> statement-breakpoint
CREATE TYPE stock_fact AS (
  day date, location_type varchar(20), location_id integer, item_type varchar(12), product_id integer, product_name varchar(255),
  category varchar(100), own_cost numeric(10,2), units integer, amount numeric, cost numeric, costed numeric, spoiled integer,
  missing integer, empty_seconds bigint, emptied integer, filled integer, items integer
);
--> statement-breakpoint
CREATE FUNCTION stock_fact_of(c item_change, seller stock_sellers) RETURNS stock_fact LANGUAGE sql IMMUTABLE AS $$
  SELECT ROW(c.day, seller.location_type, seller.location_id, seller.item_type, seller.product_id, seller.product_name, seller.category,
             seller.own_cost, c.units, c.amount, coalesce(c.units * seller.cost, 0),
             CASE WHEN seller.cost IS NULL THEN 0 ELSE c.amount END, c.spoiled, c.missing,
             CASE WHEN seller.living THEN c.empty_seconds ELSE 0 END, CASE WHEN seller.living THEN c.emptied ELSE 0 END,
             CASE WHEN seller.living THEN c.filled ELSE 0 END, 0)::stock_fact
$$;
--> statement-breakpoint
-- All that is known of an item, to put it in or, below zero, to take it out.
CREATE FUNCTION stock_facts_of(seller stock_sellers, sign integer) RETURNS SETOF stock_fact LANGUAGE sql STABLE AS $$
  SELECT stock_fact_of(ROW(d.item_type, d.item_id, d.day, sign * d.units, sign * d.amount, sign * d.spoiled, sign * d.missing,
                           sign * d.sold_out_seconds::bigint, sign * (d.closing IS NOT DISTINCT FROM 0)::integer,
                           sign * d.empty_before::integer)::item_change, seller)
  FROM item_days d WHERE d.item_type = seller.item_type AND d.item_id = seller.item_id
  UNION ALL
  SELECT ROW('-infinity'::date, seller.location_type, seller.location_id, seller.item_type, seller.product_id, seller.product_name,
             seller.category, seller.own_cost, 0, 0, 0, 0, 0, 0, 0, 0, 0, sign)::stock_fact
  WHERE seller.living
$$;
--> statement-breakpoint
-- All sums are added to in one order, so that two writers do not wait for each other in a circle.
CREATE FUNCTION add_stock_facts(facts stock_fact[]) RETURNS void LANGUAGE plpgsql AS $$
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
  ORDER BY 1, 2, 3
  ON CONFLICT (day, location_type, location_id) DO UPDATE
    SET units = p.units + excluded.units, amount = p.amount + excluded.amount, cost = p.cost + excluded.cost,
        costed = p.costed + excluded.costed, empty_seconds = p.empty_seconds + excluded.empty_seconds,
        emptied = p.emptied + excluded.emptied, filled = p.filled + excluded.filled, items = p.items + excluded.items,
        empty_now = p.empty_now + excluded.empty_now;
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
END $$;
--> statement-breakpoint
-- Whoever changes what is counted at a place, or what it is counted as, holds the place first.
CREATE FUNCTION hold_places(types text[], ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE item_days IN ROW EXCLUSIVE MODE;
  PERFORM FROM place_days p
  WHERE p.day = '-infinity' AND (p.location_type, p.location_id) IN (SELECT t, i FROM unnest(types, ids) AS g(t, i))
  ORDER BY p.location_type, p.location_id FOR UPDATE;
END $$;
--> statement-breakpoint
CREATE FUNCTION note_changed_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changes item_change[];
BEGIN
  -- A rebuild makes the sums anew itself.
  IF current_setting('milkrun.rebuilding', true) = 'on' THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(ROW(item_type, item_id, day, units, amount, spoiled, missing, sold_out_seconds,
                         (closing IS NOT DISTINCT FROM 0)::integer, empty_before::integer)::item_change)
    INTO changes FROM touched
    WHERE units <> 0 OR amount <> 0 OR spoiled <> 0 OR missing <> 0 OR sold_out_seconds <> 0 OR closing = 0 OR empty_before;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg(ROW(item_type, item_id, day, -units, -amount, -spoiled, -missing, -sold_out_seconds,
                         -(closing IS NOT DISTINCT FROM 0)::integer, -empty_before::integer)::item_change)
    INTO changes FROM before;
  ELSE
    SELECT array_agg(ROW(n.item_type, n.item_id, n.day, n.units - o.units, n.amount - o.amount, n.spoiled - o.spoiled,
                         n.missing - o.missing, n.sold_out_seconds - o.sold_out_seconds,
                         (n.closing IS NOT DISTINCT FROM 0)::integer - (o.closing IS NOT DISTINCT FROM 0)::integer,
                         n.empty_before::integer - o.empty_before::integer)::item_change)
    INTO changes FROM touched n JOIN before o USING (item_type, item_id, day)
    WHERE n.units <> o.units OR n.amount <> o.amount OR n.spoiled <> o.spoiled OR n.missing <> o.missing
       OR n.sold_out_seconds <> o.sold_out_seconds OR n.empty_before <> o.empty_before
       OR (n.closing IS NOT DISTINCT FROM 0) <> (o.closing IS NOT DISTINCT FROM 0);
  END IF;
  IF changes IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM hold_places(array_agg(location_type::text), array_agg(location_id))
  FROM (SELECT DISTINCT s.location_type, s.location_id FROM unnest(changes) c
        CROSS JOIN LATERAL (SELECT v.location_type, v.location_id FROM stock_sellers v
          WHERE v.item_type = c.item_type AND v.item_id = c.item_id OFFSET 0) s) places;
  PERFORM add_stock_facts(array_agg(f.fact))
  FROM (SELECT stock_fact_of(c, s.seller) AS fact FROM unnest(changes) c
        CROSS JOIN LATERAL (SELECT v AS seller FROM stock_sellers v
          WHERE v.item_type = c.item_type AND v.item_id = c.item_id OFFSET 0) s) f;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A slot or item that is counted as something else takes all its days along.
CREATE FUNCTION note_changed_slots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  facts stock_fact[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(f) INTO facts FROM touched t
    CROSS JOIN LATERAL (SELECT v FROM stock_sellers v WHERE v.item_type = 'machine_slot' AND v.item_id = t.id OFFSET 0) s,
      stock_facts_of(s.v, 1) f;
    PERFORM add_stock_facts(facts);
    RETURN NULL;
  END IF;
  IF NOT EXISTS (
    SELECT FROM before o JOIN touched n USING (id)
    WHERE (o.machine_id, o.product_id, o.product_name, o.category, o.cost, o.deleted_at IS NULL)
      IS DISTINCT FROM (n.machine_id, n.product_id, n.product_name, n.category, n.cost, n.deleted_at IS NULL)
  ) THEN
    RETURN NULL;
  END IF;
  PERFORM hold_places(array_agg('vending_machine'::text), array_agg(machine_id))
  FROM (SELECT machine_id FROM before UNION SELECT machine_id FROM touched) places;
  WITH changed AS MATERIALIZED (
    SELECT o AS was, n AS became FROM before o JOIN touched n USING (id)
    WHERE (o.machine_id, o.product_id, o.product_name, o.category, o.cost, o.deleted_at IS NULL)
      IS DISTINCT FROM (n.machine_id, n.product_id, n.product_name, n.category, n.cost, n.deleted_at IS NULL)
  ), told AS (
    SELECT -1 AS sign, was AS slot FROM changed UNION ALL SELECT 1, became FROM changed
  )
  SELECT array_agg(f) INTO facts FROM told t
  CROSS JOIN LATERAL (
    SELECT ROW('machine_slot', (t.slot).id, 'vending_machine', (t.slot).machine_id, coalesce((t.slot).product_id, 0), (t.slot).product_name,
               coalesce((t.slot).category, ''), coalesce((t.slot).cost, -1),
               coalesce((t.slot).cost, (SELECT p.unit_cost FROM products p WHERE p.id = (t.slot).product_id)),
               (t.slot).deleted_at IS NULL AND m.deleted_at IS NULL, m.route_designation)::stock_sellers AS v
    FROM vending_machines m WHERE m.id = (t.slot).machine_id OFFSET 0) s,
    stock_facts_of(s.v, t.sign) f;
  PERFORM add_stock_facts(facts);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Named to come before the sums of the place, whose row they hold until the end.
CREATE TRIGGER machine_slots_insert_days AFTER INSERT ON vending_machine_inventory REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_slots();
--> statement-breakpoint
CREATE TRIGGER machine_slots_update_days AFTER UPDATE ON vending_machine_inventory
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_changed_slots();
--> statement-breakpoint
CREATE FUNCTION note_changed_items() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  facts stock_fact[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg(f) INTO facts FROM touched t
    CROSS JOIN LATERAL (SELECT v FROM stock_sellers v WHERE v.item_type = 'market_item' AND v.item_id = t.id OFFSET 0) s,
      stock_facts_of(s.v, 1) f;
    PERFORM add_stock_facts(facts);
    RETURN NULL;
  END IF;
  IF NOT EXISTS (
    SELECT FROM before o JOIN touched n USING (id)
    WHERE (o.market_id, o.product_id, o.product_name, o.deleted_at IS NULL)
      IS DISTINCT FROM (n.market_id, n.product_id, n.product_name, n.deleted_at IS NULL)
  ) THEN
    RETURN NULL;
  END IF;
  PERFORM hold_places(array_agg('market'::text), array_agg(market_id))
  FROM (SELECT market_id FROM before UNION SELECT market_id FROM touched) places;
  WITH changed AS MATERIALIZED (
    SELECT o AS was, n AS became FROM before o JOIN touched n USING (id)
    WHERE (o.market_id, o.product_id, o.product_name, o.deleted_at IS NULL)
      IS DISTINCT FROM (n.market_id, n.product_id, n.product_name, n.deleted_at IS NULL)
  ), told AS (
    SELECT -1 AS sign, was AS item FROM changed UNION ALL SELECT 1, became FROM changed
  )
  SELECT array_agg(f) INTO facts FROM told t
  CROSS JOIN LATERAL (
    SELECT ROW('market_item', (t.item).id, 'market', (t.item).market_id, coalesce((t.item).product_id, 0), (t.item).product_name, '', -1,
               (SELECT p.unit_cost FROM products p WHERE p.id = (t.item).product_id),
               (t.item).deleted_at IS NULL AND m.deleted_at IS NULL, m.route_designation)::stock_sellers AS v
    FROM markets m WHERE m.id = (t.item).market_id OFFSET 0) s,
    stock_facts_of(s.v, t.sign) f;
  PERFORM add_stock_facts(facts);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER inventory_items_insert_days AFTER INSERT ON inventory_items REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_items();
--> statement-breakpoint
CREATE TRIGGER inventory_items_update_days AFTER UPDATE ON inventory_items
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_changed_items();
--> statement-breakpoint
-- A place on another route takes its days along; one that goes leaves the count of what is empty.
CREATE FUNCTION note_changed_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := TG_ARGV[0];
BEGIN
  PERFORM hold_places(ARRAY[kind], ARRAY[NEW.id]);
  IF OLD.route_designation IS DISTINCT FROM NEW.route_designation THEN
    INSERT INTO designation_days AS r (day, route_designation, units, amount, cost, costed, empty_seconds, emptied, filled, items, empty_now)
    SELECT p.day, coalesce(g.name, ''), g.sign * p.units, g.sign * p.amount, g.sign * p.cost, g.sign * p.costed,
           g.sign * p.empty_seconds, g.sign * p.emptied, g.sign * p.filled, g.sign * p.items, g.sign * p.empty_now
    FROM place_days p CROSS JOIN (VALUES (-1, OLD.route_designation), (1, NEW.route_designation)) AS g(sign, name)
    WHERE p.location_type = kind AND p.location_id = NEW.id
      AND coalesce(OLD.route_designation, '') <> coalesce(NEW.route_designation, '')
    ORDER BY 1, 2
    ON CONFLICT (day, route_designation) DO UPDATE
      SET units = r.units + excluded.units, amount = r.amount + excluded.amount, cost = r.cost + excluded.cost,
          costed = r.costed + excluded.costed, empty_seconds = r.empty_seconds + excluded.empty_seconds,
          emptied = r.emptied + excluded.emptied, filled = r.filled + excluded.filled, items = r.items + excluded.items,
          empty_now = r.empty_now + excluded.empty_now;
  END IF;
  IF (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) THEN
    PERFORM add_stock_facts(array_agg(f))
    FROM (SELECT 'machine_slot' AS item_type, id FROM vending_machine_inventory
          WHERE kind = 'vending_machine' AND machine_id = NEW.id AND deleted_at IS NULL
          UNION ALL
          SELECT 'market_item', id FROM inventory_items WHERE kind = 'market' AND market_id = NEW.id AND deleted_at IS NULL) i
    JOIN stock_sellers v ON v.item_type = i.item_type AND v.item_id = i.id
    CROSS JOIN (VALUES (true, 1), (false, -1)) AS g(living, sign)
    CROSS JOIN LATERAL stock_facts_of(
      ROW(v.item_type, v.item_id, v.location_type, v.location_id, v.product_id, v.product_name, v.category, v.own_cost, v.cost, g.living,
          v.route_designation)::stock_sellers,
      CASE WHEN NEW.deleted_at IS NULL THEN g.sign ELSE -g.sign END) f;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER machines_update_days AFTER UPDATE ON vending_machines FOR EACH ROW
  WHEN (OLD.route_designation IS DISTINCT FROM NEW.route_designation OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION note_changed_place('vending_machine');
--> statement-breakpoint
CREATE TRIGGER markets_update_days AFTER UPDATE ON markets FOR EACH ROW
  WHEN (OLD.route_designation IS DISTINCT FROM NEW.route_designation OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION note_changed_place('market');
--> statement-breakpoint
-- Margins are told at the cost of today.
CREATE FUNCTION note_changed_costs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  costs jsonb;
BEGIN
  SELECT jsonb_object_agg(n.id, jsonb_build_array(o.unit_cost, n.unit_cost)) INTO costs
  FROM before o JOIN touched n USING (id) WHERE o.unit_cost IS DISTINCT FROM n.unit_cost;
  IF costs IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM hold_places(array_agg(location_type), array_agg(location_id))
  FROM (SELECT 'vending_machine' AS location_type, machine_id AS location_id FROM vending_machine_inventory
        WHERE product_id IN (SELECT key::integer FROM jsonb_object_keys(costs) AS key) AND cost IS NULL
        UNION SELECT 'market', market_id FROM inventory_items
        WHERE product_id IN (SELECT key::integer FROM jsonb_object_keys(costs) AS key)) places;
  PERFORM add_stock_facts(array_agg(ROW(f.day, f.location_type, f.location_id, 'none', 0, '', '', 0, 0, 0, f.cost, f.costed, 0, 0, 0, 0, 0, 0)::stock_fact))
  FROM (
    SELECT d.day, i.location_type, i.location_id, sum(d.units * (coalesce(c.now, 0) - coalesce(c.was, 0))) AS cost,
           sum(d.amount * ((c.now IS NOT NULL)::integer - (c.was IS NOT NULL)::integer)) AS costed
    FROM (SELECT key::integer AS product_id, (value ->> 0)::numeric AS was, (value ->> 1)::numeric AS now FROM jsonb_each(costs)) c
    CROSS JOIN LATERAL (
      SELECT 'machine_slot' AS item_type, id, 'vending_machine' AS location_type, machine_id AS location_id FROM vending_machine_inventory s
      WHERE s.product_id = c.product_id AND s.cost IS NULL
      UNION ALL
      SELECT 'market_item', id, 'market', market_id FROM inventory_items s WHERE s.product_id = c.product_id OFFSET 0) i
    CROSS JOIN LATERAL (
      SELECT day, units, amount FROM item_days d WHERE d.item_type = i.item_type AND d.item_id = i.id OFFSET 0) d
    GROUP BY 1, 2, 3) f;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER products_update_days AFTER UPDATE ON products REFERENCING OLD TABLE AS before NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_costs();
--> statement-breakpoint
-- All of the sums anew. Whoever would add to them waits.
CREATE FUNCTION rebuild_stock_days() RETURNS void LANGUAGE plpgsql SET work_mem = '64MB' SET jit = off AS $$
BEGIN
  LOCK TABLE item_days IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM kind_days;
  DELETE FROM place_days;
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
  INSERT INTO designation_days (day, route_designation, units, amount, cost, costed, empty_seconds, emptied, filled, items, empty_now)
  SELECT p.day, coalesce(v.route_designation, k.route_designation, ''), sum(p.units), sum(p.amount), sum(p.cost), sum(p.costed),
         sum(p.empty_seconds), sum(p.emptied), sum(p.filled), sum(p.items), sum(p.empty_now)
  FROM place_days p
  LEFT JOIN vending_machines v ON p.location_type = 'vending_machine' AND v.id = p.location_id
  LEFT JOIN markets k ON p.location_type = 'market' AND k.id = p.location_id
  GROUP BY 1, 2;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION fold_item_days(types text[], ids integer[], days date[], zone text)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO item_days (item_type, item_id, day, units, sold_out_seconds, closing, spoiled, missing, empty_before)
  WITH touched AS (
    SELECT t.item_type, t.item_id, t.day, before.closing AS opening
    FROM unnest(types, ids, days) AS t(item_type, item_id, day)
    LEFT JOIN LATERAL (
      SELECT d.closing FROM item_days d WHERE d.item_type = t.item_type AND d.item_id = t.item_id AND d.day < t.day
        AND d.closing IS NOT NULL ORDER BY d.day DESC LIMIT 1) before ON true
  ), moved AS (
    SELECT t.item_type, t.item_id, t.opening, m.kind, m.reason, m.quantity, m.effective_at, m.event_id,
           (m.effective_at AT TIME ZONE zone)::date AS day,
           count(*) FILTER (WHERE m.kind = 'count') OVER (
             PARTITION BY t.item_type, t.item_id ORDER BY m.effective_at, m.event_id ROWS UNBOUNDED PRECEDING) AS counts
    FROM touched t CROSS JOIN LATERAL (
      SELECT s.kind, s.reason, s.quantity, s.effective_at, s.event_id FROM stock_movements s
      WHERE s.item_type = t.item_type AND s.item_id = t.item_id
        AND s.effective_at >= (t.day::timestamp AT TIME ZONE zone)) m
  ), held AS (
    SELECT moved.*, CASE WHEN counts = 0 THEN opening ELSE first_value(quantity) OVER since END
             + coalesce(sum(quantity) FILTER (WHERE kind <> 'count') OVER since, 0) AS after
    FROM moved
    WINDOW since AS (PARTITION BY item_type, item_id, counts ORDER BY effective_at, event_id ROWS UNBOUNDED PRECEDING)
  ), timed AS (
    SELECT held.*, lag(after, 1, opening::bigint) OVER along AS before,
           greatest(day::timestamp AT TIME ZONE zone, lag(effective_at) OVER along) AS since_at,
           lead(day) OVER along IS NOT DISTINCT FROM day AS goes_on,
           lag(day) OVER along IS DISTINCT FROM day AS begins,
           (day + 1)::timestamp AT TIME ZONE zone AS ends_at
    FROM held WINDOW along AS (PARTITION BY item_type, item_id ORDER BY effective_at, event_id)
  )
  SELECT item_type, item_id, day, coalesce(-sum(quantity) FILTER (WHERE kind = 'sale'), 0)::integer,
         round(coalesce(sum(extract(epoch FROM effective_at - since_at)) FILTER (WHERE before = 0), 0)
             + coalesce(sum(extract(epoch FROM ends_at - effective_at)) FILTER (WHERE after = 0 AND NOT goes_on), 0))::integer,
         (array_agg(after) FILTER (WHERE NOT goes_on))[1]::integer,
         coalesce(-sum(quantity) FILTER (WHERE kind = 'spoilage'), 0)::integer,
         coalesce(sum(greatest(0, before - after)) FILTER (WHERE kind = 'count' AND reason IS DISTINCT FROM 'opening'), 0)::integer,
         coalesce(bool_or(before = 0 AND begins), false)
  FROM timed GROUP BY item_type, item_id, day ORDER BY item_type, item_id, day
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = excluded.units, sold_out_seconds = excluded.sold_out_seconds, closing = excluded.closing,
        spoiled = excluded.spoiled, missing = excluded.missing, empty_before = excluded.empty_before
$function$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_item_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text;
  kept date;
  filed_at timestamptz;
BEGIN
  -- First the lock, then a statement that sees what a rebuild in another zone has committed.
  LOCK TABLE item_days IN ROW EXCLUSIVE MODE;
  -- Without an operator there is no time zone and so no day: the rows are made when the operator is.
  SELECT time_zone INTO zone FROM operator WHERE id = 1;
  IF zone IS NULL THEN
    RETURN NULL;
  END IF;
  kept := first_kept_day('stock_movements');
  -- An opening count says what the days before it came to: it changes none.
  PERFORM fold_item_days(array_agg(t.item_type::text), array_agg(t.item_id), array_agg(t.day), zone)
  FROM (SELECT item_type, item_id, (min(effective_at) AT TIME ZONE zone)::date AS day FROM touched
        WHERE reason IS DISTINCT FROM 'opening' AND (effective_at AT TIME ZONE zone)::date >= kept GROUP BY 1, 2) t;
  SELECT max(rolled_up_at) INTO filed_at FROM rolled_up_months WHERE parent = 'stock_movements';
  IF filed_at IS NULL THEN
    RETURN NULL;
  END IF;
  -- The rest of such a day is in a file, so what came late is added to it. What came before that file is in the sums already
  -- and only visits the ledger again.
  INSERT INTO item_days (item_type, item_id, day, units, spoiled, closing, empty_before)
  SELECT late.*, late.closing IS NOT DISTINCT FROM 0 FROM (
  SELECT t.item_type, t.item_id, t.day, coalesce(-sum(t.quantity) FILTER (WHERE t.kind = 'sale'), 0),
         coalesce(-sum(t.quantity) FILTER (WHERE t.kind = 'spoilage'), 0),
         (SELECT d.closing FROM item_days d WHERE d.item_type = t.item_type AND d.item_id = t.item_id AND d.day < t.day
            AND d.closing IS NOT NULL ORDER BY d.day DESC LIMIT 1) AS closing
  FROM (SELECT item_type, item_id, kind, quantity, (effective_at AT TIME ZONE zone)::date AS day FROM touched
        WHERE kind IN ('sale', 'spoilage') AND received_at > filed_at) t
  WHERE t.day < kept GROUP BY 1, 2, 3) late ORDER BY 1, 2, 3
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = item_days.units + excluded.units, spoiled = item_days.spoiled + excluded.spoiled,
        closing = coalesce(item_days.closing, excluded.closing),
        empty_before = CASE WHEN item_days.closing IS NULL THEN excluded.empty_before ELSE item_days.empty_before END;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION rebuild_item_days() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
  kind text;
  first integer;
  kept date := first_kept_day('stock_movements');
  step constant integer := 20000;
BEGIN
  LOCK TABLE item_days IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO books FROM operator WHERE id = 1;
  PERFORM set_config('milkrun.rebuilding', 'on', true);
  DELETE FROM item_days WHERE day >= kept;
  IF books.id IS NULL THEN
    PERFORM set_config('milkrun.rebuilding', '', true), rebuild_stock_days();
    RETURN;
  END IF;
  FOREACH kind IN ARRAY ARRAY['machine_slot', 'market_item'] LOOP
    FOR first IN SELECT generate_series(min(item_id), max(item_id), step) FROM item_balances WHERE item_type = kind LOOP
      PERFORM fold_item_days(array_agg(b.item_type::text), array_agg(b.item_id), array_agg(kept), books.time_zone)
      FROM item_balances b WHERE b.item_type = kind AND b.item_id >= first AND b.item_id < first + step;
    END LOOP;
  END LOOP;
  INSERT INTO item_days (item_type, item_id, day, amount)
  SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, item_id,
         (sale_date AT TIME ZONE books.time_zone)::date, sum(total_amount)
  FROM sales WHERE item_id IS NOT NULL AND successful AND NOT refunded AND currency = books.currency
    AND sale_date >= kept::timestamp AT TIME ZONE books.time_zone
  GROUP BY 1, 2, 3
  ON CONFLICT (item_type, item_id, day) DO UPDATE SET amount = excluded.amount;
  PERFORM set_config('milkrun.rebuilding', '', true), rebuild_stock_days();
END $$;
--> statement-breakpoint
UPDATE item_days d SET empty_before = true
FROM (SELECT item_type, item_id, day, lag(closing) OVER (PARTITION BY item_type, item_id ORDER BY day) AS opening
      FROM item_days WHERE closing IS NOT NULL) b
WHERE b.opening = 0 AND d.item_type = b.item_type AND d.item_id = b.item_id AND d.day = b.day;
--> statement-breakpoint
SELECT rebuild_stock_days();
--> statement-breakpoint
CREATE TRIGGER item_days_insert_sums AFTER INSERT ON item_days REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_days();
--> statement-breakpoint
CREATE TRIGGER item_days_update_sums AFTER UPDATE ON item_days REFERENCING OLD TABLE AS before NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_days();
--> statement-breakpoint
CREATE TRIGGER item_days_delete_sums AFTER DELETE ON item_days REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_days();
