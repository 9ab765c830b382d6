-- A report of a route tells of machines, too, that are gone and sold in its days: not out of all machines.
CREATE INDEX vending_machines_gone ON vending_machines (route_designation) WHERE deleted_at IS NOT NULL;
