-- A quarter of all places is a million of their days and weeks: what was paid at a place in four weeks, in one row. The blocks are
-- counted from Monday, 2000-01-03, and follow the weeks, whoever writes those.
CREATE FUNCTION block_of(day date) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT date '2000-01-03' + 28 * floor((day - date '2000-01-03') / 28.0)::integer
$$;
--> statement-breakpoint
CREATE TABLE payment_blocks (
  first_day date NOT NULL,
  place varchar(300) NOT NULL,
  system varchar(50) NOT NULL,
  currency varchar(3) NOT NULL,
  lines integer NOT NULL,
  failed integer NOT NULL,
  revenue numeric(16,2) NOT NULL,
  PRIMARY KEY (first_day, currency, place, system)
);
--> statement-breakpoint
INSERT INTO payment_blocks
SELECT block_of(first_day), place, system, currency, sum(lines), sum(failed), sum(revenue)
FROM payment_places WHERE grain = 'week' GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
CREATE FUNCTION note_payment_weeks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO payment_blocks AS b
    SELECT block_of(first_day), place, system, currency, sum(lines), sum(failed), sum(revenue)
    FROM became WHERE grain = 'week' GROUP BY 1, 2, 3, 4 ORDER BY 1, 4, 2, 3
    ON CONFLICT (first_day, currency, place, system) DO UPDATE
      SET lines = b.lines + excluded.lines, failed = b.failed + excluded.failed, revenue = b.revenue + excluded.revenue;
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' THEN
    UPDATE payment_blocks b SET lines = b.lines - w.lines, failed = b.failed - w.failed, revenue = b.revenue - w.revenue
    FROM (SELECT block_of(first_day) AS block, place, system, currency, sum(lines) AS lines, sum(failed) AS failed, sum(revenue) AS revenue
          FROM was WHERE grain = 'week' GROUP BY 1, 2, 3, 4) w
    WHERE b.first_day = w.block AND b.place = w.place AND b.system = w.system AND b.currency = w.currency;
    DELETE FROM payment_blocks b
    USING (SELECT DISTINCT block_of(first_day) AS block, place, system, currency FROM was WHERE grain = 'week') w
    WHERE b.first_day = w.block AND b.place = w.place AND b.system = w.system AND b.currency = w.currency
      AND b.lines = 0 AND b.revenue = 0;
    RETURN NULL;
  END IF;
  INSERT INTO payment_blocks AS b
  SELECT block_of(first_day), place, system, currency, sum(lines), sum(failed), sum(revenue)
  FROM (SELECT first_day, place, system, currency, lines, failed, revenue FROM became WHERE grain = 'week'
        UNION ALL SELECT first_day, place, system, currency, -lines, -failed, -revenue FROM was WHERE grain = 'week') w
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 4, 2, 3
  ON CONFLICT (first_day, currency, place, system) DO UPDATE
    SET lines = b.lines + excluded.lines, failed = b.failed + excluded.failed, revenue = b.revenue + excluded.revenue;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER payment_places_insert_blocks AFTER INSERT ON payment_places REFERENCING NEW TABLE AS became
  FOR EACH STATEMENT EXECUTE FUNCTION note_payment_weeks();
--> statement-breakpoint
CREATE TRIGGER payment_places_update_blocks AFTER UPDATE ON payment_places REFERENCING OLD TABLE AS was NEW TABLE AS became
  FOR EACH STATEMENT EXECUTE FUNCTION note_payment_weeks();
--> statement-breakpoint
CREATE TRIGGER payment_places_delete_blocks AFTER DELETE ON payment_places REFERENCING OLD TABLE AS was
  FOR EACH STATEMENT EXECUTE FUNCTION note_payment_weeks();
--> statement-breakpoint
ANALYZE payment_blocks;
