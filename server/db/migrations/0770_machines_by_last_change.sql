-- Administration's places by their last change: without it all machines are read for each page. The second key is that of the page's order,
-- since machines that were imported together have one time.
CREATE INDEX "vending_machines_touched" ON "vending_machines" (greatest("updated_at", "last_restocked"), (("id")::bigint * 2 + 1)) WHERE "deleted_at" IS NULL;
