-- Refunds that are told beside their sale are few, and looked for from a day on whenever payments are compared with payouts.
CREATE INDEX "vendor_sales_refunds" ON "vendor_sales" ("sold_at") WHERE status = 'refunded' AND NOT moves_stock;
