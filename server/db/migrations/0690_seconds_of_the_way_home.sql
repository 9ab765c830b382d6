-- What the way home takes without incidents. Told from the route's minutes, it was half a minute wrong either way, and a jam
-- around the depot made it another each time routes were timed anew. Of routes saved before it is what is told when they are
-- first timed anew.
ALTER TABLE routes ADD COLUMN home_seconds integer;
