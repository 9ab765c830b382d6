-- What a search reads of a machine, in the form of `plain_text`, as markets have it. Writing 50,000 machines anew takes about a
-- second, in which the server that migrates is not up yet.
ALTER TABLE vending_machines ADD COLUMN search_text text NOT NULL
  -- squawk-ignore adding-field-with-default
  GENERATED ALWAYS AS (plain_text(name || ' ' || machine_id || ' ' || location || ' ' || address)) STORED;
