-- Bytes as text; what is no UTF-8, or holds a zero, with those bytes written as \000.
CREATE FUNCTION bytes_as_text(bytes bytea) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN data_exception THEN
  RETURN encode(bytes, 'escape');
END $$;
--> statement-breakpoint
-- The JSON that a text is; a text that is none, or one that no database keeps, as a JSON string.
CREATE FUNCTION text_as_json(told text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN told::jsonb;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN to_jsonb(told);
END $$;
--> statement-breakpoint
-- A payload that was emptied after its time is null. That of a message without a body is what its address told.
CREATE OR REPLACE VIEW nayax_webhooks AS
  SELECT id, config_id, event_type,
         CASE WHEN length(body) = 0 AND jsonb_array_length(query) > 0
              THEN (SELECT jsonb_object_agg(q ->> 0, q ->> 1) FROM jsonb_array_elements(query) q)
              ELSE text_as_json(bytes_as_text(body)) END AS payload,
         signature, processed_at IS NOT NULL AS processed, processed_at, received_at, error
  FROM webhook_deliveries WHERE system = 'nayax';
--> statement-breakpoint
CREATE OR REPLACE VIEW cantaloupe_webhooks AS
  SELECT id, config_id, event_type, bytes_as_text(body) AS payload, signature, processed_at IS NOT NULL AS processed,
         processed_at, received_at, error
  FROM webhook_deliveries WHERE system = 'cantaloupe';
--> statement-breakpoint
-- One row is one line, and its transaction_id names no other: lines after the first of a number, and other systems' sales of the
-- same number, have the beginning of the line's own id behind it. An index finds those of a number.
CREATE OR REPLACE VIEW vending_machine_sales AS
  SELECT s.id, s.machine_id,
         CASE WHEN EXISTS (SELECT 1 FROM sales o WHERE o.transaction_id = s.transaction_id AND o.machine_id IS NOT NULL AND o.id < s.id)
              THEN left(s.transaction_id, 91) || '#' || left(s.event_id::text, 8) ELSE s.transaction_id END::varchar(100) AS transaction_id,
         s.product_name, s.product_code, s.slot_number, s.quantity, s.price, s.total_amount, s.payment_method, s.sale_date,
         s.successful, s.refunded, s.customer_feedback
  FROM sales s WHERE s.machine_id IS NOT NULL;
