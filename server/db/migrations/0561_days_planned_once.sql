-- A function in plain SQL is parsed and planned with every call, here over every month of the ledger: most of what a saved count cost.
-- In this language its plan is made once for each connection.
CREATE OR REPLACE FUNCTION fold_item_days(types text[], ids integer[], days date[], zone text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
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
    SET units = excluded.units - item_days.refunded, sold_out_seconds = excluded.sold_out_seconds, closing = excluded.closing,
        spoiled = excluded.spoiled, missing = excluded.missing, empty_before = excluded.empty_before;
END $$;
