import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { type Database, firstRow } from '../database.ts';
import { containsWord, plainSigns, wordsOf } from './like.ts';

onEachDatabase('The words of a search', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const finds = async (text: string, search: string): Promise<boolean> => {
    const says = wordsOf(search).map((word) => containsWord(sql`plain_text(${text}::text)`, word));
    const found = await firstRow<{ n: number }>(
      database.db,
      sql`select count(*)::int as n from (select 1) x where ${sql.join([sql`true`, ...says], sql` and `)}`,
    );
    return found?.n === 1;
  };

  it.each([...plainSigns])(
    'by the sign %s alone find nothing, and it stands in no way of other words',
    async (sign) => {
      expect(await finds(`Cola ${sign} Zero`, `${sign} ${sign}${sign}`)).toBe(false);
      expect(await finds(`Cola ${sign} Zero`, `cola ${sign} zero`)).toBe(true);
      expect(await finds('Cola Zero', `cola ${sign} zero`)).toBe(true);
    },
  );

  it('hold a sign that plain texts keep as it is', async () => {
    expect([await finds('Cola for $2', '$'), await finds('Cola for 2', '$')]).toEqual([true, false]);
  });

  it('are the first eight of those that say something', () => {
    expect(wordsOf('- a - b c d e f g h i')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
    expect(wordsOf('  ')).toEqual([]);
  });
});
