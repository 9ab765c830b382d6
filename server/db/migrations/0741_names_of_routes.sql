-- A search read three months of routes for the few names they have, and made each plain anew. Here is each name and designation once, with
-- a day up to which no route that bears it needs to note it again: thirty days on, so that planning a day writes nothing here.
CREATE TABLE route_names (
  name varchar(255) NOT NULL,
  route_designation varchar(20) NOT NULL,
  until date NOT NULL,
  plain text NOT NULL GENERATED ALWAYS AS (plain_text(name || ' ' || route_designation)) STORED,
  PRIMARY KEY (name, route_designation)
);
--> statement-breakpoint
CREATE FUNCTION note_route_names() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO route_names AS n (name, route_designation, until)
    SELECT t.name, coalesce(t.route_designation, ''), max(t.date) + 30 FROM touched t
    WHERE NOT EXISTS (SELECT FROM route_names k
      WHERE k.name = t.name AND k.route_designation = coalesce(t.route_designation, '') AND k.until >= t.date)
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (name, route_designation) DO UPDATE SET until = greatest(n.until, excluded.until);
    RETURN NULL;
  END IF;
  INSERT INTO route_names AS n (name, route_designation, until) VALUES (NEW.name, coalesce(NEW.route_designation, ''), NEW.date + 30)
  ON CONFLICT (name, route_designation) DO UPDATE SET until = excluded.until WHERE n.until < NEW.date;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER routes_insert_names AFTER INSERT ON routes REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_route_names();
--> statement-breakpoint
CREATE TRIGGER routes_update_names AFTER UPDATE ON routes FOR EACH ROW
  WHEN (OLD.name <> NEW.name OR OLD.route_designation IS DISTINCT FROM NEW.route_designation OR OLD.date <> NEW.date)
  EXECUTE FUNCTION note_route_names();
--> statement-breakpoint
INSERT INTO route_names (name, route_designation, until)
SELECT name, coalesce(route_designation, ''), max(date) + 30 FROM routes GROUP BY 1, 2;
--> statement-breakpoint
ANALYZE route_names;
