CREATE TABLE "item_days" (
	"item_type" varchar(12) NOT NULL,
	"item_id" integer NOT NULL,
	"day" date NOT NULL,
	"units" integer DEFAULT 0 NOT NULL,
	"amount" numeric(14, 2) DEFAULT '0' NOT NULL,
	"sold_out_seconds" integer DEFAULT 0 NOT NULL,
	"closing" integer,
	CONSTRAINT "item_days_item_type_item_id_day_pk" PRIMARY KEY("item_type","item_id","day")
);
--> statement-breakpoint
CREATE TABLE "need_errors" (
	"location_type" varchar(20) NOT NULL,
	"location_id" integer NOT NULL,
	"counts" integer NOT NULL,
	"absolute_error" double precision NOT NULL,
	"signed_error" double precision NOT NULL,
	"naive_error" double precision NOT NULL,
	"measured_at" timestamp with time zone NOT NULL,
	CONSTRAINT "need_errors_location_type_location_id_pk" PRIMARY KEY("location_type","location_id")
);
--> statement-breakpoint
CREATE TABLE "need_means" (
	"item_type" varchar(12) NOT NULL,
	"product_id" integer NOT NULL,
	"per_day" double precision NOT NULL,
	CONSTRAINT "need_means_item_type_product_id_pk" PRIMARY KEY("item_type","product_id")
);
--> statement-breakpoint
-- Writes the rows of items anew from a day on, out of the ledger: a late movement is thus as exact as a timely one.
CREATE FUNCTION fold_item_days(types text[], ids integer[], days date[], zone text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO item_days (item_type, item_id, day, units, sold_out_seconds, closing)
  WITH touched AS (
    SELECT t.item_type, t.item_id, t.day, before.closing AS opening
    FROM unnest(types, ids, days) AS t(item_type, item_id, day)
    LEFT JOIN LATERAL (
      SELECT d.closing FROM item_days d WHERE d.item_type = t.item_type AND d.item_id = t.item_id AND d.day < t.day
      ORDER BY d.day DESC LIMIT 1) before ON true
  ), moved AS (
    SELECT t.item_type, t.item_id, t.opening, m.kind, m.quantity, m.effective_at, m.event_id,
           (m.effective_at AT TIME ZONE zone)::date AS day,
           count(*) FILTER (WHERE m.kind = 'count') OVER (
             PARTITION BY t.item_type, t.item_id ORDER BY m.effective_at, m.event_id ROWS UNBOUNDED PRECEDING) AS counts
    FROM touched t CROSS JOIN LATERAL (
      SELECT s.kind, s.quantity, s.effective_at, s.event_id FROM stock_movements s
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
         (array_agg(after) FILTER (WHERE NOT goes_on))[1]::integer
  FROM timed GROUP BY item_type, item_id, day ORDER BY item_type, item_id, day
  ON CONFLICT (item_type, item_id, day) DO UPDATE
    SET units = excluded.units, sold_out_seconds = excluded.sold_out_seconds, closing = excluded.closing
$$;
--> statement-breakpoint
CREATE FUNCTION note_item_days() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text;
BEGIN
  -- First the lock, then a statement that sees what a rebuild in another zone has committed.
  LOCK TABLE item_days IN ROW EXCLUSIVE MODE;
  -- Without an operator there is no time zone and so no day: the rows are made when the operator is.
  SELECT time_zone INTO zone FROM operator WHERE id = 1;
  IF zone IS NULL THEN
    RETURN NULL;
  END IF;
  PERFORM fold_item_days(array_agg(t.item_type::text), array_agg(t.item_id), array_agg(t.day), zone)
  FROM (SELECT item_type, item_id, (min(effective_at) AT TIME ZONE zone)::date AS day FROM touched GROUP BY 1, 2) t;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER stock_movements_item_days AFTER INSERT ON stock_movements REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_item_days();
--> statement-breakpoint
CREATE FUNCTION note_item_amounts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
BEGIN
  LOCK TABLE item_days IN ROW EXCLUSIVE MODE;
  SELECT * INTO books FROM operator WHERE id = 1;
  IF books.id IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO item_days (item_type, item_id, day, amount)
    SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, item_id,
           (sale_date AT TIME ZONE books.time_zone)::date, -sum(total_amount)
    FROM before WHERE item_id IS NOT NULL AND successful AND NOT refunded AND currency = books.currency
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (item_type, item_id, day) DO UPDATE SET amount = item_days.amount + excluded.amount;
  END IF;
  INSERT INTO item_days (item_type, item_id, day, amount)
  SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, item_id,
         (sale_date AT TIME ZONE books.time_zone)::date, sum(total_amount)
  FROM touched WHERE item_id IS NOT NULL AND successful AND NOT refunded AND currency = books.currency
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (item_type, item_id, day) DO UPDATE SET amount = item_days.amount + excluded.amount;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER sales_insert_item_amounts AFTER INSERT ON sales REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_item_amounts();
--> statement-breakpoint
CREATE TRIGGER sales_update_item_amounts AFTER UPDATE ON sales REFERENCING OLD TABLE AS before NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_item_amounts();
--> statement-breakpoint
-- All rows anew out of ledger and sales. Writers wait meanwhile; what they add comes after it.
CREATE FUNCTION rebuild_item_days() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  books operator%ROWTYPE;
  kind text;
  first integer;
  step constant integer := 20000;
BEGIN
  LOCK TABLE item_days IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO books FROM operator WHERE id = 1;
  DELETE FROM item_days;
  IF books.id IS NULL THEN
    RETURN;
  END IF;
  FOREACH kind IN ARRAY ARRAY['machine_slot', 'market_item'] LOOP
    FOR first IN SELECT generate_series(min(item_id), max(item_id), step) FROM item_balances WHERE item_type = kind LOOP
      PERFORM fold_item_days(array_agg(b.item_type::text), array_agg(b.item_id), array_agg('0001-01-02'::date), books.time_zone)
      FROM item_balances b WHERE b.item_type = kind AND b.item_id >= first AND b.item_id < first + step;
    END LOOP;
  END LOOP;
  INSERT INTO item_days (item_type, item_id, day, amount)
  SELECT CASE WHEN machine_id IS NULL THEN 'market_item' ELSE 'machine_slot' END, item_id,
         (sale_date AT TIME ZONE books.time_zone)::date, sum(total_amount)
  FROM sales WHERE item_id IS NOT NULL AND successful AND NOT refunded AND currency = books.currency
  GROUP BY 1, 2, 3
  ON CONFLICT (item_type, item_id, day) DO UPDATE SET amount = excluded.amount;
END $$;
--> statement-breakpoint
CREATE FUNCTION note_operator_books() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rebuild_item_days();
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER operator_insert_item_days AFTER INSERT ON operator FOR EACH ROW EXECUTE FUNCTION note_operator_books();
--> statement-breakpoint
CREATE TRIGGER operator_update_item_days AFTER UPDATE ON operator FOR EACH ROW
  WHEN (OLD.time_zone <> NEW.time_zone OR OLD.currency <> NEW.currency) EXECUTE FUNCTION note_operator_books();
--> statement-breakpoint
SELECT rebuild_item_days();
