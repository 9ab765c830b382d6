-- A market has somebody to call and something to remember, as a machine has.
ALTER TABLE "markets" ADD COLUMN "contact_phone" varchar(50), ADD COLUMN "notes" varchar(500);
--> statement-breakpoint
-- An edit of either counts as one: a second person is told of it.
DROP TRIGGER markets_edit ON markets;
--> statement-breakpoint
CREATE TRIGGER markets_edit BEFORE UPDATE ON markets FOR EACH ROW
  WHEN ((OLD.name, OLD.address, OLD.city, OLD.state, OLD.latitude, OLD.longitude, OLD.status, OLD.route_designation,
         OLD.access_hours, OLD.access_notes, OLD.contact_phone, OLD.notes, OLD.integration_id, OLD.deleted_at)
    IS DISTINCT FROM
        (NEW.name, NEW.address, NEW.city, NEW.state, NEW.latitude, NEW.longitude, NEW.status, NEW.route_designation,
         NEW.access_hours, NEW.access_notes, NEW.contact_phone, NEW.notes, NEW.integration_id, NEW.deleted_at))
  EXECUTE FUNCTION note_market_edit();
