-- The highest number that a device gave to an event: one that comes after it with a lower number happened before.
ALTER TABLE device_clocks ADD COLUMN last_seq bigint;
