-- From when on something is late, silent or low, and when people work: as the operator sees it.
ALTER TABLE operator
  ADD COLUMN late_after_min integer NOT NULL DEFAULT 15,
  ADD COLUMN phone_silent_hours integer NOT NULL DEFAULT 48,
  ADD COLUMN low_level_percent integer NOT NULL DEFAULT 40,
  ADD COLUMN good_level_percent integer NOT NULL DEFAULT 70,
  ADD COLUMN low_slot_percent integer NOT NULL DEFAULT 20,
  ADD COLUMN work_start varchar(5) NOT NULL DEFAULT '06:00',
  ADD COLUMN work_end varchar(5) NOT NULL DEFAULT '15:00';
--> statement-breakpoint
-- Route designations that a person named; those that places and people carry exist without a row.
CREATE TABLE route_designations (
  name varchar(20) PRIMARY KEY,
  added_at timestamptz NOT NULL DEFAULT now(),
  -- Not offered any more, unless a place or a person carries it.
  retired_at timestamptz
);
