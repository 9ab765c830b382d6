-- A search reads what every machine is called. In their own rows, which each movement of stock writes anew, these texts lie far apart;
-- here they lie side by side, and are written only when one of them changes.
CREATE TABLE machine_texts (
  machine_id integer PRIMARY KEY,
  living boolean NOT NULL,
  name varchar(255) NOT NULL,
  -- As `vending_machines.search_text`.
  plain text NOT NULL
);
--> statement-breakpoint
CREATE FUNCTION note_machine_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO machine_texts (machine_id, living, name, plain)
    SELECT id, deleted_at IS NULL, name, search_text FROM touched ORDER BY id;
    RETURN NULL;
  END IF;
  IF TG_OP = 'DELETE' OR NEW.id <> OLD.id THEN
    DELETE FROM machine_texts WHERE machine_id = OLD.id;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO machine_texts AS t (machine_id, living, name, plain) VALUES (NEW.id, NEW.deleted_at IS NULL, NEW.name, NEW.search_text)
    ON CONFLICT (machine_id) DO UPDATE SET living = excluded.living, name = excluded.name, plain = excluded.plain;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER machines_insert_text AFTER INSERT ON vending_machines REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_machine_texts();
--> statement-breakpoint
CREATE TRIGGER machines_update_text AFTER UPDATE ON vending_machines FOR EACH ROW
  WHEN (OLD.id <> NEW.id OR OLD.name <> NEW.name OR OLD.search_text <> NEW.search_text OR (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))
  EXECUTE FUNCTION note_machine_texts();
--> statement-breakpoint
CREATE TRIGGER machines_delete_text AFTER DELETE ON vending_machines FOR EACH ROW EXECUTE FUNCTION note_machine_texts();
--> statement-breakpoint
INSERT INTO machine_texts (machine_id, living, name, plain) SELECT id, deleted_at IS NULL, name, search_text FROM vending_machines;
--> statement-breakpoint
-- Nobody else does it soon enough, on the embedded database nobody at all: a table without statistics is taken for an empty one.
ANALYZE machine_texts;
