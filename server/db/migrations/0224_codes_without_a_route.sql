-- A person without a route signs in on a new device too: what vouches for it is their manager's code.
ALTER TABLE pairing_codes ALTER COLUMN route_designation DROP NOT NULL;
