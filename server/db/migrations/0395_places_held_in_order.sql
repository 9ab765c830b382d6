-- Whoever changes what is counted at a place, or what it is counted as, holds the place first, and before it the row that carries
-- the place's own sums: others take that one first, too.
CREATE OR REPLACE FUNCTION hold_places(types text[], ids integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM markets m WHERE m.id IN (SELECT i FROM unnest(types, ids) AS g(t, i) WHERE t = 'market')
  ORDER BY m.id FOR NO KEY UPDATE;
  PERFORM FROM vending_machines m WHERE m.id IN (SELECT i FROM unnest(types, ids) AS g(t, i) WHERE t = 'vending_machine')
  ORDER BY m.id FOR NO KEY UPDATE;
  LOCK TABLE item_days IN ROW EXCLUSIVE MODE;
  PERFORM FROM place_days p
  WHERE p.day = '-infinity' AND (p.location_type, p.location_id) IN (SELECT t, i FROM unnest(types, ids) AS g(t, i))
  ORDER BY p.location_type, p.location_id FOR UPDATE;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_changed_slots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  facts stock_fact[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM hold_places(array_agg('vending_machine'::text), array_agg(machine_id))
    FROM (SELECT DISTINCT machine_id FROM touched) places;
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
CREATE OR REPLACE FUNCTION note_changed_items() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  facts stock_fact[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM hold_places(array_agg('market'::text), array_agg(market_id))
    FROM (SELECT DISTINCT market_id FROM touched) places;
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
