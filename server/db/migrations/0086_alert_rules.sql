-- Who ended an alert by hand, and when its cause went: until then the same cause raises no other.
ALTER TABLE "vending_machine_alerts"
  ADD COLUMN "resolved_by" varchar(255),
  ADD COLUMN "cause_ended_at" timestamp with time zone;
--> statement-breakpoint
CREATE INDEX "machine_alerts_put_off" ON "vending_machine_alerts" ("machine_id", "alert_type")
  WHERE resolved_by IS NOT NULL AND cause_ended_at IS NULL;
--> statement-breakpoint
CREATE INDEX "machine_alerts_newest" ON "vending_machine_alerts" ("created_at" DESC, "id" DESC);
--> statement-breakpoint
-- What raises alerts and who is written to: one row, made when somebody changes what holds without it.
CREATE TABLE "alert_settings" (
  "id" integer PRIMARY KEY DEFAULT 1,
  "rules" jsonb NOT NULL,
  "digest" jsonb NOT NULL,
  "digest_sent_on" date,
  "version" integer DEFAULT 0 NOT NULL,
  CONSTRAINT "alert_settings_one" CHECK (id = 1)
);
--> statement-breakpoint
-- Since when a slot asks the price it asks: older sales say nothing about a wrong one.
ALTER TABLE "vending_machine_inventory" ADD COLUMN "price_set_at" timestamp with time zone DEFAULT now() NOT NULL;
--> statement-breakpoint
CREATE FUNCTION note_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.price_set_at := now();
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER machine_slots_price BEFORE UPDATE OF price, slot_number, product_id ON vending_machine_inventory
  FOR EACH ROW WHEN ((OLD.price, OLD.slot_number, OLD.product_id) IS DISTINCT FROM (NEW.price, NEW.slot_number, NEW.product_id))
  EXECUTE FUNCTION note_price();
