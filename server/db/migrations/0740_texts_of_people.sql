-- A search reads what people are called, in the form of `plain_text`, as it does of markets, machines and products: made plain for each
-- search, the texts of a few hundred people cost more than all else that is looked for. People are thousands at most.
ALTER TABLE users ADD COLUMN search_text text NOT NULL
  -- squawk-ignore adding-field-with-default
  GENERATED ALWAYS AS (plain_text(first_name || ' ' || last_name || ' ' || email)) STORED;
