-- Keys that wrap the data keys of sealed values, each wrapped by the installation's key, which is not in the database.
CREATE TABLE sealing_keys (
  id varchar(12) PRIMARY KEY,
  wrapped text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  retired_at timestamptz
);
