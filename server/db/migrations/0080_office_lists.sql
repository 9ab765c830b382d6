-- Text as it is searched: small letters without accents, signs as blanks, no apostrophes. Both sides of a comparison go through it.
CREATE FUNCTION plain_text(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT lower(translate(given,
    'ÀÁÂÃÄÅàáâãäåÇçÈÉÊËèéêëÌÍÎÏìíîïÑñÒÓÔÕÖØòóôõöøÙÚÛÜùúûüÝýÿŠšŽžŁł-_.,;:/\|&+*#"“”()[]{}!?@®™°%''’‘',
    'AAAAAAaaaaaaCcEEEEeeeeIIIIiiiiNnOOOOOOooooooUUUUuuuuYyySsZzLl' || repeat(' ', 29)))
$$;
--> statement-breakpoint
-- Two people editing one market: the second names the version it began with and is refused. Sums over the stock are no edit.
ALTER TABLE "markets"
  ADD COLUMN "version" integer NOT NULL DEFAULT 1,
  ADD COLUMN "search_text" text NOT NULL
    GENERATED ALWAYS AS (plain_text(name || ' ' || address || ' ' || coalesce(city, '') || ' ' || coalesce(state, '')
      || ' MKT ' || CASE WHEN id < 1000 THEN lpad(id::text, 3, '0') ELSE id::text END)) STORED;
--> statement-breakpoint
CREATE FUNCTION note_market_edit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER markets_edit BEFORE UPDATE ON markets FOR EACH ROW
  WHEN ((OLD.name, OLD.address, OLD.city, OLD.state, OLD.latitude, OLD.longitude, OLD.status, OLD.route_designation,
         OLD.access_hours, OLD.access_notes, OLD.integration_id, OLD.deleted_at)
    IS DISTINCT FROM
        (NEW.name, NEW.address, NEW.city, NEW.state, NEW.latitude, NEW.longitude, NEW.status, NEW.route_designation,
         NEW.access_hours, NEW.access_notes, NEW.integration_id, NEW.deleted_at))
  EXECUTE FUNCTION note_market_edit();
--> statement-breakpoint
CREATE INDEX "markets_name" ON "markets" (lower(name), id) WHERE deleted_at IS NULL;
--> statement-breakpoint
-- Stock as a share of the minimum, in thousandths: below 1000 is low, below 1500 close to it.
CREATE INDEX "inventory_items_cover" ON "inventory_items"
  ((current_quantity::bigint * 1000 / greatest(minimum_quantity, 1)), id) WHERE deleted_at IS NULL;
--> statement-breakpoint
CREATE INDEX "inventory_items_name" ON "inventory_items" (lower(product_name), id) WHERE deleted_at IS NULL;
