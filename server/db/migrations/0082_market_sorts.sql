-- The list of markets opens with the lowest stock first; the expression is word for word the query's.
CREATE INDEX "markets_level" ON "markets"
  (((CASE WHEN target_units <= 0 THEN 0
     ELSE greatest(0, least(100, round(100.0 * stocked_units / target_units))) END)::int), id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX "markets_updated" ON "markets" (last_updated, id) WHERE deleted_at IS NULL;
