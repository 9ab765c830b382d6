-- A field worker's own places include the stops of their designation's routes around the day.
CREATE INDEX "routes_designation" ON "routes" USING btree ("route_designation","date");
