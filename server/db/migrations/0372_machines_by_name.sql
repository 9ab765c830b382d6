-- Lists of machines open by name: their first rows are read, not all of them sorted.
CREATE INDEX vending_machines_name ON vending_machines (lower(name), id) WHERE deleted_at IS NULL;
