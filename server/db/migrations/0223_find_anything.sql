-- What a search reads of a machine, in the form of `plain_text`, as markets have it.
ALTER TABLE vending_machines ADD COLUMN search_text text NOT NULL
  GENERATED ALWAYS AS (plain_text(name || ' ' || machine_id || ' ' || location || ' ' || address)) STORED;
