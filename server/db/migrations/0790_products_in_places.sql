-- A product's places follow the names of machines, and each machine is asked whether it holds the product.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "machine_slots_product";
--> statement-breakpoint
CREATE INDEX "machine_slots_product" ON "vending_machine_inventory" ("product_id", "machine_id");
--> statement-breakpoint
-- A product's card reads sixty of its days: without it those of all products are read.
CREATE INDEX "kind_days_product" ON "kind_days" ("product_id", "day");
--> statement-breakpoint
-- What is longer than most words, as a barcode is, stands in few of them.
CREATE INDEX "machine_words_length" ON "machine_words" (length("word"));
--> statement-breakpoint
ANALYZE "machine_words";
