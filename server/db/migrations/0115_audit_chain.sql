-- Each line of the audit log in the order in which it was committed, with a hash over it and the hash before.
CREATE TABLE audit_chain (
  seq bigint PRIMARY KEY,
  audit_id integer NOT NULL UNIQUE,
  hash varchar(64) NOT NULL
);
--> statement-breakpoint
CREATE FUNCTION audit_hash(place bigint, before text, line audit_log) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(jsonb_build_array(
    place, before, line.id, to_char(line.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), line.actor_id, line.action,
    line.object_type, line.object_id, line.detail, line.address)::text, 'UTF8')), 'hex')
$$;
--> statement-breakpoint
-- Runs at commit: the lock that puts lines in one order is held for the last moment of a transaction only, after every
-- other lock, so that nobody who holds it waits for anything.
CREATE FUNCTION chain_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last audit_chain;
  place bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('audit-chain'));
  SELECT * INTO last FROM audit_chain ORDER BY seq DESC LIMIT 1;
  place := coalesce(last.seq, 0) + 1;
  INSERT INTO audit_chain (seq, audit_id, hash)
    VALUES (place, NEW.id, audit_hash(place, coalesce(last.hash, ''), NEW));
  RETURN NULL;
END $$;
--> statement-breakpoint
DO $$
DECLARE
  line audit_log;
  place bigint := 0;
  before text := '';
BEGIN
  FOR line IN SELECT * FROM audit_log ORDER BY id LOOP
    place := place + 1;
    before := audit_hash(place, before, line);
    INSERT INTO audit_chain (seq, audit_id, hash) VALUES (place, line.id, before);
  END LOOP;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER audit_log_chained AFTER INSERT ON audit_log
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_audit();
--> statement-breakpoint
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE ON audit_chain
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_chain_no_truncate BEFORE TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_no_truncate BEFORE TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE INDEX audit_log_actor ON audit_log (actor_id, id);
--> statement-breakpoint
CREATE INDEX audit_log_action ON audit_log (action, id);
