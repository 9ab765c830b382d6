-- Money put on a consumer's account, corrections of one, and cash taken out of a kiosk pay for nothing: what is bought with
-- them is told as a sale, and would count twice. A sale that two partners tell counts once.
CREATE FUNCTION is_payment(outcome text, details jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT outcome <> 'same' AND coalesce(details ->> 'transactionType', 'sale') NOT IN ('account_deposit', 'adjustment', 'cash_collection') $$;
--> statement-breakpoint
CREATE OR REPLACE VIEW payments AS
  SELECT 'ledger'::text AS origin, s.id * 2 AS sort_id, split_part(s.source, ':', 1)::varchar AS system, NULL::integer AS config_id,
         s.transaction_id::varchar AS payment_id, s.event_id, NULL::varchar AS device_id, s.machine_id, s.market_id,
         CASE WHEN s.machine_id IS NULL THEN 'market:' || s.market_id ELSE 'vending_machine:' || s.machine_id END AS place,
         s.product_name, s.quantity, s.total_amount::numeric AS amount,
         payment_revenue(ledger_status(s.successful, s.refunded), s.total_amount) AS revenue, NULL::numeric AS fee, s.currency,
         coalesce(s.payment_method, '')::varchar AS payment_method, ''::varchar AS card_type, NULL::varchar AS last_four,
         ledger_status(s.successful, s.refunded) AS status, s.sale_date AS paid_at
  FROM sales s WHERE NOT is_partner(s.source)
  UNION ALL
  SELECT 'partner'::text, v.id * 2 + 1, v.system, v.config_id, v.vendor_id, NULL, coalesce(v.device_id, v.integration_id), d.machine_id, d.market_id,
         'device:' || v.config_id || ':' || coalesce(v.device_id, v.integration_id, ''),
         v.product_name, v.quantity, v.amount,
         payment_revenue(partner_status(v.status, v.outcome), v.amount), v.fee, v.currency,
         coalesce(v.payment_method, ''), coalesce(v.card_type, ''), v.last_four, partner_status(v.status, v.outcome), v.sold_at
  FROM vendor_sales v LEFT JOIN vendor_devices d ON d.config_id = v.config_id AND d.vendor_id = v.device_id
  WHERE is_payment(v.outcome, v.details);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_partner_payments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  zone text;
BEGIN
  LOCK TABLE payment_hours IN ROW EXCLUSIVE MODE;
  SELECT time_zone INTO zone FROM operator WHERE id = 1;
  IF zone IS NULL THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    PERFORM add_payments(array_agg(ROW(day, hour, system, method, card, told, currency, place, -lines, -units, -amount,
                                       -revenue, -fee, -fees)::payment_fact))
    FROM (SELECT (sold_at AT TIME ZONE zone)::date AS day, extract(hour FROM sold_at AT TIME ZONE zone)::smallint AS hour,
                 system, coalesce(payment_method, '') AS method, coalesce(card_type, '') AS card,
                 partner_status(status, outcome) AS told, currency,
                 'device:' || config_id || ':' || coalesce(device_id, integration_id, '') AS place,
                 count(*)::int AS lines, sum(quantity)::int AS units, sum(amount) AS amount,
                 sum(payment_revenue(partner_status(status, outcome), amount)) AS revenue,
                 coalesce(sum(fee), 0) AS fee, count(fee)::int AS fees
          FROM before WHERE is_payment(outcome, details) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) f HAVING count(*) > 0;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM add_payments(array_agg(ROW(day, hour, system, method, card, told, currency, place, lines, units, amount, revenue,
                                       fee, fees)::payment_fact))
    FROM (SELECT (sold_at AT TIME ZONE zone)::date AS day, extract(hour FROM sold_at AT TIME ZONE zone)::smallint AS hour,
                 system, coalesce(payment_method, '') AS method, coalesce(card_type, '') AS card,
                 partner_status(status, outcome) AS told, currency,
                 'device:' || config_id || ':' || coalesce(device_id, integration_id, '') AS place,
                 count(*)::int AS lines, sum(quantity)::int AS units, sum(amount) AS amount,
                 sum(payment_revenue(partner_status(status, outcome), amount)) AS revenue,
                 coalesce(sum(fee), 0) AS fee, count(fee)::int AS fees
          FROM touched WHERE is_payment(outcome, details) GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) f HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What was counted so far goes out of the sums with them.
SELECT rebuild_payments() WHERE EXISTS (SELECT FROM vendor_sales WHERE outcome <> 'same' AND NOT is_payment(outcome, details));
--> statement-breakpoint
-- One spelling of card schemes over all systems; wallets stand with the way of paying.
UPDATE vendor_sales v SET card_type = s.name
FROM (SELECT told, CASE
        WHEN scheme IN ('visa', 'visacredit', 'visadebit', 'visaelectron', 'vi') THEN 'Visa'
        WHEN scheme IN ('mastercard', 'mastercardcredit', 'mastercarddebit', 'debitmastercard', 'mc', 'eurocard') THEN 'Mastercard'
        WHEN scheme IN ('americanexpress', 'amex', 'amexpress', 'ax') THEN 'American Express'
        WHEN scheme IN ('discover', 'discovernetwork', 'discovercard', 'ds') THEN 'Discover'
        WHEN scheme IN ('dinersclub', 'diners', 'dinersclubinternational', 'dc') THEN 'Diners Club'
        WHEN scheme = 'jcb' THEN 'JCB'
        WHEN scheme = 'maestro' THEN 'Maestro'
        WHEN scheme IN ('unionpay', 'chinaunionpay', 'cup') THEN 'UnionPay'
        WHEN scheme = 'interac' THEN 'Interac'
        ELSE first END AS name
      FROM (SELECT told, first, regexp_replace(lower(first), '[^a-z]', '', 'g') AS scheme
            FROM (SELECT DISTINCT card_type AS told, trim(split_part(card_type, ' · ', 1)) AS first
                  FROM vendor_sales WHERE card_type IS NOT NULL) parts) spelled) s
WHERE v.card_type = s.told AND s.name <> s.told;
--> statement-breakpoint
UPDATE vendor_sales v SET payment_method = s.name
FROM (SELECT told, CASE
        WHEN method ~ '^((credit|debit|bank|payment)[ _/-]*)?(card|debit)$|^eftpos$' THEN 'credit' ELSE nullif(method, '') END AS name
      FROM (SELECT DISTINCT payment_method AS told, lower(trim(payment_method)) AS method
            FROM vendor_sales WHERE payment_method IS NOT NULL) spelled) s
WHERE v.payment_method = s.told AND s.name IS DISTINCT FROM s.told;
