-- What a signed-out person leaves unsent on a phone is sealed for these keys; the private halves are sealed themselves.
CREATE TABLE phone_seal_keys (
  id varchar(12) PRIMARY KEY,
  public_key text NOT NULL,
  private_key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
