-- A sale that two systems tell and none has booked yet counts once: its second copy is on no list of payments. At its own system it is
-- what it was: one that waits for a person is pending.
CREATE OR REPLACE FUNCTION is_payment(outcome text, details jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT outcome NOT IN ('same', 'held_same', 'waiting_same')
     AND coalesce(details ->> 'transactionType', 'sale') NOT IN ('account_deposit', 'adjustment', 'cash_collection') $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION partner_status(status text, outcome text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE outcome WHEN 'held' THEN 'pending' WHEN 'held_same' THEN 'pending' WHEN 'refused' THEN 'failed' ELSE status END $$;
