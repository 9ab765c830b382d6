-- Few days of an item know an empty slot or a loss: reports read those alone.
CREATE INDEX item_days_empty ON item_days (day) WHERE sold_out_seconds > 0 OR closing = 0;
--> statement-breakpoint
CREATE INDEX item_days_lost ON item_days (day) WHERE spoiled > 0 OR missing > 0;
