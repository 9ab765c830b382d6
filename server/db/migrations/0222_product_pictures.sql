-- How long a product keeps, and how it looks.
ALTER TABLE products ADD COLUMN shelf_life_days integer, ADD COLUMN picture varchar(16);
--> statement-breakpoint
CREATE TABLE product_pictures (
  product_id integer PRIMARY KEY REFERENCES products (id) ON DELETE CASCADE,
  content bytea NOT NULL,
  uploaded_by integer,
  uploaded_at timestamptz NOT NULL
);
