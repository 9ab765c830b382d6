-- For which silence of a phone the managers were written to: once each.
CREATE TABLE "phone_warnings" (
  "device_id" uuid PRIMARY KEY,
  "contact_at" timestamp with time zone NOT NULL,
  "warned_at" timestamp with time zone NOT NULL
);
