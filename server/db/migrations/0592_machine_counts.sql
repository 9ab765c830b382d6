-- Every page of machines says how many there are. Their rows are written with each movement of stock, so that to count them is to read
-- them all: here are the living ones by designation and status, which change seldom.
CREATE TABLE machine_counts (
  route_designation varchar(20) NOT NULL,
  status varchar(50) NOT NULL,
  machines integer NOT NULL,
  PRIMARY KEY (route_designation, status)
);
--> statement-breakpoint
CREATE FUNCTION note_machine_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO machine_counts AS c (route_designation, status, machines)
    SELECT coalesce(t.route_designation, ''), t.status, count(*) FROM touched t WHERE t.deleted_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (route_designation, status) DO UPDATE SET machines = c.machines + excluded.machines;
    RETURN NULL;
  END IF;
  INSERT INTO machine_counts AS c (route_designation, status, machines)
  SELECT coalesce(r.route_designation, ''), r.status, sum(r.machines)
  FROM (SELECT OLD.route_designation, OLD.status, -1 WHERE OLD.deleted_at IS NULL
        UNION ALL SELECT NEW.route_designation, NEW.status, 1 WHERE TG_OP = 'UPDATE' AND NEW.deleted_at IS NULL)
    AS r(route_designation, status, machines)
  GROUP BY 1, 2 HAVING sum(r.machines) <> 0 ORDER BY 1, 2
  ON CONFLICT (route_designation, status) DO UPDATE SET machines = c.machines + excluded.machines;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER machines_insert_counts AFTER INSERT ON vending_machines REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_machine_counts();
--> statement-breakpoint
CREATE TRIGGER machines_update_counts AFTER UPDATE ON vending_machines FOR EACH ROW
  WHEN (OLD.route_designation IS DISTINCT FROM NEW.route_designation OR OLD.status <> NEW.status
    OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION note_machine_counts();
--> statement-breakpoint
CREATE TRIGGER machines_delete_counts AFTER DELETE ON vending_machines FOR EACH ROW EXECUTE FUNCTION note_machine_counts();
--> statement-breakpoint
INSERT INTO machine_counts (route_designation, status, machines)
SELECT coalesce(route_designation, ''), status, count(*) FROM vending_machines WHERE deleted_at IS NULL GROUP BY 1, 2;
--> statement-breakpoint
ANALYZE machine_counts;
