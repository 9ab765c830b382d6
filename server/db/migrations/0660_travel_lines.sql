-- The course of the road between two places, as an engine answered: without it, what an incident costs a leg was reckoned
-- by the straight line, which a road rarely follows.
CREATE TABLE travel_lines (
  profile varchar(30) NOT NULL,
  version text NOT NULL,
  from_lat integer NOT NULL,
  from_lng integer NOT NULL,
  to_lat integer NOT NULL,
  to_lng integer NOT NULL,
  seconds integer NOT NULL,
  metres integer NOT NULL,
  line text NOT NULL,
  south integer NOT NULL,
  west integer NOT NULL,
  north integer NOT NULL,
  east integer NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT travel_lines_pk PRIMARY KEY (profile, version, from_lat, from_lng, to_lat, to_lng)
);
--> statement-breakpoint
CREATE INDEX travel_lines_used ON travel_lines (used_at);
