-- What a search reads of a product, in the form of `plain_text`, as markets and machines have it. Products are thousands at most.
ALTER TABLE products ADD COLUMN search_text text NOT NULL
  -- squawk-ignore adding-field-with-default
  GENERATED ALWAYS AS (plain_text(name || ' ' || coalesce(brand, ''))) STORED;
