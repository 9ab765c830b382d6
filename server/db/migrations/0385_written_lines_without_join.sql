-- The plan of a trigger's statement is made at its first firing, which often changes nothing, and is kept: a join of the
-- lines before and after then runs as a loop in a loop for every later call. Grouped by their key they need no join.
CREATE OR REPLACE FUNCTION note_import() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run integer := nullif(current_setting('milkrun.import', true), '')::integer;
BEGIN
  IF run IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO import_changes (import_id, table_name, row_key, seal)
    SELECT run, TG_TABLE_NAME, to_jsonb(t) ->> TG_ARGV[0],
           CASE WHEN TG_TABLE_NAME <> 'sales' THEN md5(told_fields(to_jsonb(t))::text) END
    FROM touched t;
    RETURN NULL;
  END IF;
  -- Each step is made once: drawn together the planner would make every line anew for every field.
  INSERT INTO import_changes AS c (import_id, table_name, row_key, before, after, seal)
  WITH lines AS MATERIALIZED (
    SELECT to_jsonb(o) ->> TG_ARGV[0] AS key, told_fields(to_jsonb(o)) AS old_line, NULL::jsonb AS new_line FROM before o
    UNION ALL
    SELECT to_jsonb(n) ->> TG_ARGV[0], NULL, told_fields(to_jsonb(n)) FROM touched n
  ), paired AS MATERIALIZED (
    SELECT key, (array_agg(old_line) FILTER (WHERE old_line IS NOT NULL))[1] AS old_line,
           (array_agg(new_line) FILTER (WHERE new_line IS NOT NULL))[1] AS new_line
    FROM lines GROUP BY key
  )
  SELECT run, TG_TABLE_NAME, p.key, d.was, d.became, md5(p.new_line::text)
  FROM paired p CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(f.field, p.old_line -> f.field) AS was, jsonb_object_agg(f.field, p.new_line -> f.field) AS became
    FROM jsonb_object_keys(p.old_line || p.new_line) AS f(field)
    WHERE p.old_line -> f.field IS DISTINCT FROM p.new_line -> f.field
  ) d
  WHERE p.new_line <> p.old_line
  ON CONFLICT (import_id, table_name, row_key) DO UPDATE
    SET before = excluded.before || c.before, after = c.after || excluded.after, seal = excluded.seal;
  RETURN NULL;
END $$;
