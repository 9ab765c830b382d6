-- What needs a person now is asked for all day: the worst of it, and how much there is.
CREATE INDEX vending_machines_sold_out ON vending_machines (empty_slots DESC, id) WHERE deleted_at IS NULL AND empty_slots > 0;
--> statement-breakpoint
CREATE INDEX machine_alerts_severe ON vending_machine_alerts (severity, created_at)
  WHERE resolved_at IS NULL AND NOT acknowledged AND severity IN ('critical', 'high') AND alert_type <> 'silent';
