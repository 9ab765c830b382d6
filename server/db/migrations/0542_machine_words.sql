-- A search looks for letters inside of words. There are few words and many machines: which words hold the letters is asked here,
-- and the machines that have these words are found by index.
CREATE TABLE machine_words (word text PRIMARY KEY);
--> statement-breakpoint
-- What has other signs than digits in it: numbers are as many as the machines.
CREATE INDEX machine_words_letters ON machine_words (word) WHERE word ~ '[^0-9]';
--> statement-breakpoint
INSERT INTO machine_words
SELECT DISTINCT word FROM machine_texts CROSS JOIN LATERAL unnest(string_to_array(plain, ' ')) AS word WHERE word <> '';
--> statement-breakpoint
-- A word stays when its last machine goes: that none has it, the index of machines tells.
CREATE FUNCTION note_machine_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO machine_words
  SELECT DISTINCT word FROM touched CROSS JOIN LATERAL unnest(string_to_array(plain, ' ')) AS word WHERE word <> '' ORDER BY word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER machine_texts_insert_words AFTER INSERT ON machine_texts REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_machine_words();
--> statement-breakpoint
CREATE TRIGGER machine_texts_update_words AFTER UPDATE ON machine_texts REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_machine_words();
--> statement-breakpoint
CREATE INDEX machine_texts_words ON machine_texts USING gin (string_to_array(plain, ' ')) WHERE living;
--> statement-breakpoint
CREATE INDEX machine_texts_name ON machine_texts (name, machine_id) WHERE living;
--> statement-breakpoint
CREATE INDEX machine_texts_beginning ON machine_texts (lower(name) text_pattern_ops) WHERE living;
--> statement-breakpoint
ANALYZE machine_words;
--> statement-breakpoint
ANALYZE machine_texts;
