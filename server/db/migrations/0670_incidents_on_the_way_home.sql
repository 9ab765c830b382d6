-- Ids of the incidents on the way back to the depot, as stops keep those of the legs to them.
ALTER TABLE routes ADD COLUMN home_incidents jsonb NOT NULL DEFAULT '[]';
