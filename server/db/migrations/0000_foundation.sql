-- One rising number over every table that phones copy.
CREATE SEQUENCE change_seq;
--> statement-breakpoint
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.change_seq := nextval('change_seq');
  NEW.changed_at := clock_timestamp();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
-- Runs with its owner's rights: the application's role may hold no right to create tables.
CREATE FUNCTION ensure_month_partition(parent text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  starts date := date_trunc('month', at AT TIME ZONE 'UTC')::date;
  child text := parent || '_' || to_char(starts, 'YYYY_MM');
BEGIN
  IF parent NOT IN ('stock_movements', 'sales') THEN
    RAISE EXCEPTION 'no partitions by month for %', parent;
  END IF;
  IF to_regclass('public.' || child) IS NOT NULL THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('ensure_month_partition'));
  EXECUTE format(
    'CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
    child, parent, starts::text || ' 00:00:00+00', (starts + interval '1 month')::date::text || ' 00:00:00+00'
  );
END $$;
