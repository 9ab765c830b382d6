-- Lines that a transaction was pending with and that it ended without: nothing says how they ended, so they count nowhere.
UPDATE vendor_sales v SET status = 'failed', outcome = 'same'
WHERE v.status = 'pending' AND v.outcome IN ('waiting', 'waiting_same', 'same', 'none')
  AND EXISTS (SELECT FROM vendor_sales o WHERE o.ledger_source = v.ledger_source AND o.ledger_id = v.ledger_id
    AND o.config_id = v.config_id AND o.status <> 'pending' AND o.moves_stock);
