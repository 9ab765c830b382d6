-- From when a driver can leave. The planned start may be later, so that nobody waits at the first door; the next plan of the same
-- route begins from here again. Routes from before have none: their planned start counts.
ALTER TABLE routes ADD COLUMN earliest_start_at timestamptz;
