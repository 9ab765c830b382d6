-- When a person proved that a number is theirs; before that no sign-in code is sent there.
ALTER TABLE users ADD COLUMN phone_confirmed_at timestamptz;
--> statement-breakpoint
UPDATE users u SET phone_confirmed_at = proven.at FROM (
  SELECT actor_id, max(at) AS at FROM audit_log
  WHERE action = 'auth.sign-in' AND detail->>'channel' = 'sms' GROUP BY actor_id
) proven WHERE proven.actor_id = u.id AND u.phone_number IS NOT NULL;
--> statement-breakpoint
-- SHA-256 of what the sign-in shows of a device: that a person's code comes from a device they hold.
ALTER TABLE field_devices ADD COLUMN known_hash varchar(64);
--> statement-breakpoint
CREATE UNIQUE INDEX field_devices_known_hash ON field_devices (known_hash);
