-- Counting half a million slots for a page of fifty takes longer than the page: each machine keeps how many it has.
ALTER TABLE vending_machines
  ADD COLUMN slot_count integer NOT NULL DEFAULT 0,
  -- Of them, those that are sold out or hold less than the operator's percentage.
  ADD COLUMN slots_under_percent integer NOT NULL DEFAULT 0;
--> statement-breakpoint
-- Both follow from other rows, so they are nothing that a person or a file said.
CREATE OR REPLACE FUNCTION told_fields(line jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT jsonb_strip_nulls(line) - '{change_seq, changed_xid, created_at, updated_at, last_updated, version, search_text, is_low,
    current_quantity, current_stock, low_slots, empty_slots, slot_count, slots_under_percent, last_restocked, item_count,
    low_stock_count, stocked_units, target_units, last_seen, price_set_at}'::text[]
$$;
--> statement-breakpoint
CREATE FUNCTION is_under_percent(quantity integer, capacity integer, percent integer) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT quantity <= 0 OR quantity * 100 < percent * capacity $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sum_machine_slots() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  percent integer := coalesce((SELECT low_slot_percent FROM operator WHERE id = 1), 20);
BEGIN
  -- First the lock, then a statement of its own that sees what others committed: sums of two writers never get lost.
  PERFORM 1 FROM vending_machines WHERE id IN (SELECT machine_id FROM touched) ORDER BY id FOR UPDATE;
  UPDATE vending_machines m
  SET current_stock = s.stock, low_slots = s.low, empty_slots = s.sold_out, slot_count = s.slots, slots_under_percent = s.under,
      last_restocked = s.restocked
  FROM (
    SELECT t.machine_id, coalesce(sum(t.current_quantity) FILTER (WHERE t.deleted_at IS NULL), 0) AS stock,
           count(*) FILTER (WHERE t.is_low AND t.deleted_at IS NULL) AS low,
           count(*) FILTER (WHERE t.current_quantity = 0 AND t.deleted_at IS NULL) AS sold_out,
           count(*) FILTER (WHERE t.deleted_at IS NULL) AS slots,
           count(*) FILTER (WHERE t.deleted_at IS NULL AND is_under_percent(t.current_quantity, t.max_quantity, percent)) AS under,
           max(t.last_restocked) AS restocked
    FROM vending_machine_inventory t WHERE t.machine_id IN (SELECT DISTINCT machine_id FROM touched) GROUP BY t.machine_id
  ) s
  WHERE m.id = s.machine_id
    AND (m.current_stock, m.low_slots, m.empty_slots, m.slot_count, m.slots_under_percent, m.last_restocked)
      IS DISTINCT FROM (s.stock, s.low, s.sold_out, s.slots, s.under, s.restocked);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION recount_slots_under_percent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM vending_machines ORDER BY id FOR UPDATE;
  UPDATE vending_machines m SET slots_under_percent = s.under
  FROM (
    SELECT t.machine_id,
           count(*) FILTER (WHERE is_under_percent(t.current_quantity, t.max_quantity, NEW.low_slot_percent)) AS under
    FROM vending_machine_inventory t WHERE t.deleted_at IS NULL GROUP BY t.machine_id
  ) s
  WHERE m.id = s.machine_id AND m.slots_under_percent <> s.under;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER operator_insert_percent AFTER INSERT ON operator
  FOR EACH ROW WHEN (NEW.low_slot_percent <> 20) EXECUTE FUNCTION recount_slots_under_percent();
--> statement-breakpoint
CREATE TRIGGER operator_percent AFTER UPDATE OF low_slot_percent ON operator
  FOR EACH ROW WHEN (OLD.low_slot_percent <> NEW.low_slot_percent) EXECUTE FUNCTION recount_slots_under_percent();
--> statement-breakpoint
UPDATE vending_machines m SET slot_count = s.slots, slots_under_percent = s.under
FROM (
  SELECT t.machine_id, count(*) AS slots,
         count(*) FILTER (WHERE is_under_percent(t.current_quantity, t.max_quantity,
           coalesce((SELECT low_slot_percent FROM operator WHERE id = 1), 20))) AS under
  FROM vending_machine_inventory t WHERE t.deleted_at IS NULL GROUP BY t.machine_id
) s
WHERE m.id = s.machine_id;
