-- The last messages of a device that say how far its clock is ahead of ours; clock_skew_seconds follows from them.
ALTER TABLE vendor_devices ADD COLUMN clock_samples jsonb NOT NULL DEFAULT '[]';
