-- Where the chain of the audit log begins since lines past their time were removed: the place and hash of the last of them.
CREATE TABLE audit_checkpoints (
  seq bigint PRIMARY KEY,
  hash varchar(64) NOT NULL,
  until timestamptz NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER audit_checkpoints_append_only BEFORE UPDATE OR DELETE ON audit_checkpoints
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_checkpoints_no_truncate BEFORE TRUNCATE ON audit_checkpoints
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- A line or a link may go only where a checkpoint stands for it.
CREATE FUNCTION refuse_audit_removal() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place bigint;
BEGIN
  IF TG_TABLE_NAME = 'audit_chain' THEN
    place := OLD.seq;
  ELSE
    SELECT c.seq INTO place FROM audit_chain c WHERE c.audit_id = OLD.id;
  END IF;
  IF place <= (SELECT max(seq) FROM audit_checkpoints) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append only: DELETE refused', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
DROP TRIGGER audit_log_append_only ON audit_log;
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_kept BEFORE DELETE ON audit_log
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_removal();
--> statement-breakpoint
DROP TRIGGER audit_chain_append_only ON audit_chain;
--> statement-breakpoint
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE ON audit_chain
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_chain_kept BEFORE DELETE ON audit_chain
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_removal();
--> statement-breakpoint
-- Removes lines older than two years from the beginning of the log, at most `most` at a time, and says how many. Runs with its
-- owner's rights, since the application's role may not remove anything, and so keeps the two years itself. What was tampered
-- with stays: it must not vanish by growing old. The newest line stays too, for the chain to go on from.
CREATE FUNCTION purge_audit_log(most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  start audit_checkpoints;
  upto bigint;
  whole bigint;
  last_hash text;
  newest timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('audit-chain'));
  SELECT * INTO start FROM audit_checkpoints ORDER BY seq DESC LIMIT 1;
  start.seq := coalesce(start.seq, 0);
  SELECT c.seq - 1 INTO upto FROM audit_chain c JOIN audit_log a ON a.id = c.audit_id
    WHERE a.at >= now() - interval '2 years' ORDER BY c.seq LIMIT 1;
  upto := least(coalesce(upto, (SELECT max(seq) - 1 FROM audit_chain)), start.seq + most);
  IF upto IS NULL OR upto <= start.seq THEN
    RETURN 0;
  END IF;
  SELECT count(*) FILTER (WHERE hash = true_hash), max(at) INTO whole, newest FROM (
    SELECT c.hash, a.at, audit_hash(c.seq, coalesce(lag(c.hash) OVER (ORDER BY c.seq), start.hash, ''), a) AS true_hash
    FROM audit_chain c JOIN audit_log a ON a.id = c.audit_id WHERE c.seq > start.seq AND c.seq <= upto
  ) links;
  IF whole <> upto - start.seq THEN
    RAISE EXCEPTION 'the audit log is not as it was written before line %: nothing is removed', upto + 1;
  END IF;
  SELECT hash INTO last_hash FROM audit_chain WHERE seq = upto;
  INSERT INTO audit_checkpoints (seq, hash, until) VALUES (upto, last_hash, newest);
  DELETE FROM audit_log a USING audit_chain c WHERE c.audit_id = a.id AND c.seq <= upto;
  DELETE FROM audit_chain WHERE seq <= upto;
  INSERT INTO audit_log (action, detail)
    VALUES ('audit.purge', jsonb_build_object('lines', whole, 'seq', upto, 'hash', last_hash, 'until', newest));
  RETURN whole;
END $$;
