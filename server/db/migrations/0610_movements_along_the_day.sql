-- What comes after everything known of an item is added to its days; a day is read again as a whole only for what comes late.
-- A slot that is counted and filled all day cost more with each movement.

-- Lengths of time between instants cut to whole seconds, so that the parts of a day add up however it is cut.
CREATE FUNCTION whole_seconds(since timestamptz, until timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (floor(extract(epoch FROM until)) - floor(extract(epoch FROM since)))::bigint
$$;
--> statement-breakpoint
DROP FUNCTION fold_item_days(text[], integer[], date[], text);
--> statement-breakpoint
-- Folds the ledger of items from an instant on: the start of a day, which is then written anew with all that follow, or with
-- `is_added` their first new movement, when nothing else is known after it.
CREATE FUNCTION fold_item_days(types text[], ids integer[], froms timestamptz[], zone text, is_added boolean) RETURNS void LANGUAGE plpgsql
-- One plan for any number of items: to make it costs more than to follow it.
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO item_days (item_type, item_id, day, units, sold_out_seconds, closing, spoiled, missing, empty_before)
  WITH touched AS (
    SELECT t.*, known.closing AS opening, known.day = t.day AS goes_on,
           -- Such a day is reckoned empty to its end already.
           CASE WHEN known.closing = 0 AND known.day = t.day THEN (
             SELECT max(s.effective_at) FROM stock_movements s
             WHERE s.item_type = t.item_type AND s.item_id = t.item_id AND s.effective_at >= t.day::timestamp AT TIME ZONE zone
               AND s.effective_at < t.from_at) END AS empty_since
    FROM (SELECT u.*, (u.from_at AT TIME ZONE zone)::date AS day FROM unnest(types, ids, froms) AS u(item_type, item_id, from_at)) t
    LEFT JOIN LATERAL (
      SELECT d.day, d.closing FROM item_days d WHERE d.item_type = t.item_type AND d.item_id = t.item_id
        AND d.day < t.day + is_added::integer AND d.closing IS NOT NULL ORDER BY d.day DESC LIMIT 1) known ON true
  ), moved AS (
    SELECT t.item_type, t.item_id, t.opening, t.goes_on, t.empty_since, m.kind, m.reason, m.quantity, m.effective_at, m.event_id,
           (m.effective_at AT TIME ZONE zone)::date AS day,
           count(*) FILTER (WHERE m.kind = 'count') OVER (
             PARTITION BY t.item_type, t.item_id ORDER BY m.effective_at, m.event_id ROWS UNBOUNDED PRECEDING) AS counts
    FROM touched t CROSS JOIN LATERAL (
      SELECT s.kind, s.reason, s.quantity, s.effective_at, s.event_id FROM stock_movements s
      WHERE s.item_type = t.item_type AND s.item_id = t.item_id AND s.effective_at >= t.from_at) m
  ), held AS (
    SELECT moved.*, CASE WHEN counts = 0 THEN opening ELSE first_value(quantity) OVER since END
             + coalesce(sum(quantity) FILTER (WHERE kind <> 'count') OVER since, 0) AS after
    FROM moved
    WINDOW since AS (PARTITION BY item_type, item_id, counts ORDER BY effective_at, event_id ROWS UNBOUNDED PRECEDING)
  ), timed AS (
    SELECT held.*, lag(after, 1, opening::bigint) OVER along AS before,
           greatest(day::timestamp AT TIME ZONE zone, lag(effective_at, 1, empty_since) OVER along) AS since_at,
           lead(day) OVER along IS NOT DISTINCT FROM day AS has_next,
           lag(day) OVER along IS DISTINCT FROM day AS is_first,
           lag(day) OVER along IS NULL AND goes_on IS TRUE AS is_next,
           (day + 1)::timestamp AT TIME ZONE zone AS ends_at
    FROM held WINDOW along AS (PARTITION BY item_type, item_id ORDER BY effective_at, event_id)
  )
  SELECT item_type, item_id, day, coalesce(-sum(quantity) FILTER (WHERE kind = 'sale'), 0)::integer,
         (coalesce(sum(whole_seconds(since_at, effective_at)) FILTER (WHERE before = 0), 0)
          + coalesce(sum(whole_seconds(effective_at, ends_at)) FILTER (WHERE after = 0 AND NOT has_next), 0)
          - coalesce(sum(whole_seconds(empty_since, ends_at)) FILTER (WHERE is_next), 0))::integer,
         (array_agg(after) FILTER (WHERE NOT has_next))[1]::integer,
         coalesce(-sum(quantity) FILTER (WHERE kind = 'spoilage'), 0)::integer,
         coalesce(sum(greatest(0, before - after)) FILTER (WHERE kind = 'count' AND reason IS DISTINCT FROM 'opening'), 0)::integer,
         coalesce(bool_or(before = 0 AND is_first AND NOT is_next), false)
  FROM timed GROUP BY item_type, item_id, day ORDER BY item_type, item_id, day
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = excluded.units + CASE WHEN is_added THEN item_days.units ELSE -item_days.refunded END,
        sold_out_seconds = excluded.sold_out_seconds + CASE WHEN is_added THEN item_days.sold_out_seconds ELSE 0 END,
        closing = excluded.closing,
        spoiled = excluded.spoiled + CASE WHEN is_added THEN item_days.spoiled ELSE 0 END,
        missing = excluded.missing + CASE WHEN is_added THEN item_days.missing ELSE 0 END,
        empty_before = excluded.empty_before OR is_added AND item_days.empty_before;
END $$;
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
  PERFORM fold_item_days(array_agg(i.item_type), array_agg(i.item_id),
                         array_agg(CASE WHEN i.is_last THEN i.from_at ELSE i.day::timestamp AT TIME ZONE zone END), zone, i.is_last)
  FROM (
    SELECT t.item_type::text, t.item_id, min(t.effective_at) AS from_at, min(t.day) FILTER (WHERE t.is_noted) AS day,
           bool_and(t.is_noted) AND count(*) = (
             SELECT count(*) FROM stock_movements s
             WHERE s.item_type = t.item_type AND s.item_id = t.item_id AND s.effective_at >= min(t.effective_at)) AS is_last
    -- An opening count says what the days before it came to: it changes none.
    FROM (SELECT n.*, n.reason IS DISTINCT FROM 'opening' AND n.day >= kept AS is_noted
          FROM (SELECT item_type, item_id, effective_at, reason, (effective_at AT TIME ZONE zone)::date AS day FROM touched) n) t
    GROUP BY t.item_type, t.item_id) i
  WHERE i.day IS NOT NULL GROUP BY i.is_last;
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
      PERFORM fold_item_days(array_agg(b.item_type::text), array_agg(b.item_id),
                             array_agg(kept::timestamp AT TIME ZONE books.time_zone), books.time_zone, false)
      FROM item_balances b WHERE b.item_type = kind AND b.item_id >= first AND b.item_id < first + step;
    END LOOP;
  END LOOP;
  INSERT INTO item_days (item_type, item_id, day, units, refunded, amount)
  SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, item_id,
         (sale_date AT TIME ZONE books.time_zone)::date, -coalesce(sum(quantity) FILTER (WHERE refunded), 0),
         coalesce(sum(quantity) FILTER (WHERE refunded), 0),
         coalesce(sum(total_amount) FILTER (WHERE NOT refunded AND currency = books.currency), 0)
  FROM sales WHERE item_id IS NOT NULL AND successful AND (refunded OR currency = books.currency)
    AND sale_date >= kept::timestamp AT TIME ZONE books.time_zone
  GROUP BY 1, 2, 3
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = item_days.units + excluded.units, refunded = excluded.refunded, amount = excluded.amount;
  PERFORM set_config('milkrun.rebuilding', '', true), rebuild_stock_days();
END $$;
