-- A message that nobody will ever process is left out with a reason, by a person, and can be taken back.
ALTER TABLE webhook_deliveries
  ADD COLUMN left_out_at timestamptz, ADD COLUMN left_out_by integer, ADD COLUMN left_out_reason varchar(500);
--> statement-breakpoint
CREATE INDEX webhook_deliveries_left_out ON webhook_deliveries (id) WHERE status = 'left_out';
