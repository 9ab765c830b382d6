-- What was thrown away and what counts found less than was believed, by day: reports read these rows, not the ledger.
ALTER TABLE item_days ADD COLUMN spoiled integer NOT NULL DEFAULT 0, ADD COLUMN missing integer NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Reports are about days, of all items.
CREATE INDEX item_days_day ON item_days (day);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION fold_item_days(types text[], ids integer[], days date[], zone text)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO item_days (item_type, item_id, day, units, sold_out_seconds, closing, spoiled, missing)
  WITH touched AS (
    SELECT t.item_type, t.item_id, t.day, before.closing AS opening
    FROM unnest(types, ids, days) AS t(item_type, item_id, day)
    LEFT JOIN LATERAL (
      SELECT d.closing FROM item_days d WHERE d.item_type = t.item_type AND d.item_id = t.item_id AND d.day < t.day
      ORDER BY d.day DESC LIMIT 1) before ON true
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
           (day + 1)::timestamp AT TIME ZONE zone AS ends_at
    FROM held WINDOW along AS (PARTITION BY item_type, item_id ORDER BY effective_at, event_id)
  )
  SELECT item_type, item_id, day, coalesce(-sum(quantity) FILTER (WHERE kind = 'sale'), 0)::integer,
         round(coalesce(sum(extract(epoch FROM effective_at - since_at)) FILTER (WHERE before = 0), 0)
             + coalesce(sum(extract(epoch FROM ends_at - effective_at)) FILTER (WHERE after = 0 AND NOT goes_on), 0))::integer,
         (array_agg(after) FILTER (WHERE NOT goes_on))[1]::integer,
         coalesce(-sum(quantity) FILTER (WHERE kind = 'spoilage'), 0)::integer,
         coalesce(sum(greatest(0, before - after)) FILTER (WHERE kind = 'count' AND reason IS DISTINCT FROM 'opening'), 0)::integer
  FROM timed GROUP BY item_type, item_id, day ORDER BY item_type, item_id, day
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = excluded.units, sold_out_seconds = excluded.sold_out_seconds, closing = excluded.closing,
        spoiled = excluded.spoiled, missing = excluded.missing
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
  INSERT INTO item_days (item_type, item_id, day, units, spoiled, closing)
  SELECT t.item_type, t.item_id, t.day, coalesce(-sum(t.quantity) FILTER (WHERE t.kind = 'sale'), 0),
         coalesce(-sum(t.quantity) FILTER (WHERE t.kind = 'spoilage'), 0),
         (SELECT d.closing FROM item_days d WHERE d.item_type = t.item_type AND d.item_id = t.item_id AND d.day < t.day
            AND d.closing IS NOT NULL ORDER BY d.day DESC LIMIT 1)
  FROM (SELECT item_type, item_id, kind, quantity, (effective_at AT TIME ZONE zone)::date AS day FROM touched
        WHERE kind IN ('sale', 'spoilage') AND received_at > filed_at) t
  WHERE t.day < kept GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = item_days.units + excluded.units, spoiled = item_days.spoiled + excluded.spoiled,
        closing = coalesce(item_days.closing, excluded.closing);
  RETURN NULL;
END $$;
--> statement-breakpoint
SELECT rebuild_item_days();
