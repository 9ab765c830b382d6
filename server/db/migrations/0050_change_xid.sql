-- Which transaction changed a row last: what a copy may have missed is told by transactions, never by clocks.
CREATE OR REPLACE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.change_seq := nextval('change_seq');
  NEW.changed_xid := pg_current_xact_id();
  RETURN NEW;
END $$;
--> statement-breakpoint
ALTER TABLE markets DROP COLUMN changed_at, ADD COLUMN changed_xid xid8 NOT NULL DEFAULT '0';
--> statement-breakpoint
CREATE INDEX markets_changed_xid ON markets (changed_xid);
--> statement-breakpoint
ALTER TABLE vending_machines DROP COLUMN changed_at, ADD COLUMN changed_xid xid8 NOT NULL DEFAULT '0';
--> statement-breakpoint
CREATE INDEX vending_machines_changed_xid ON vending_machines (changed_xid);
--> statement-breakpoint
ALTER TABLE inventory_items DROP COLUMN changed_at, ADD COLUMN changed_xid xid8 NOT NULL DEFAULT '0';
--> statement-breakpoint
CREATE INDEX inventory_items_changed_xid ON inventory_items (changed_xid);
--> statement-breakpoint
ALTER TABLE vending_machine_inventory DROP COLUMN changed_at, ADD COLUMN changed_xid xid8 NOT NULL DEFAULT '0';
--> statement-breakpoint
CREATE INDEX vending_machine_inventory_changed_xid ON vending_machine_inventory (changed_xid);
--> statement-breakpoint
ALTER TABLE products DROP COLUMN changed_at, ADD COLUMN changed_xid xid8 NOT NULL DEFAULT '0';
--> statement-breakpoint
CREATE INDEX products_changed_xid ON products (changed_xid);
--> statement-breakpoint
ALTER TABLE routes DROP COLUMN changed_at, ADD COLUMN changed_xid xid8 NOT NULL DEFAULT '0';
--> statement-breakpoint
CREATE INDEX routes_changed_xid ON routes (changed_xid);
