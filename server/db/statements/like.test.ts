import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { rows } from '../database.ts';
import { blankSigns, containsWord, isBlank, wordsOf } from './like.ts';

it.each([
  ['salt & vinegar', ['salt', 'vinegar']],
  [' A-1  50% ', ['A-1', '50%']],
  ['--- %%', ['---', '%%']],
  ['$', ['$']],
  [undefined, []],
])('the words of %j are %j', (search, words) => expect(wordsOf(search)).toEqual(words));

onEachDatabase('A search', (open) => {
  it('takes for blanks the signs that plain text has none of, and no others', async () => {
    const database = await open();
    const printable = Array.from({ length: 94 }, (_, n) => String.fromCodePoint(33 + n));
    const given = [...new Set([...printable, ...blankSigns])];
    const found = await rows<{ sign: string; left: string }>(
      database.db,
      sql`select sign, trim(plain_text(sign)) as left from jsonb_array_elements_text(${JSON.stringify(given)}::jsonb) sign`,
    );
    expect(found.filter(({ left }) => left === '').map(({ sign }) => sign)).toEqual(given.filter(isBlank));
    await database.close();
  });

  it('of signs alone finds nothing, of others what contains them', async () => {
    const database = await open();
    const plain = sql`plain_text('Deal - $1 & 50%')`;
    const says = ['---', '%', '$', '50%'].map((word) => containsWord(plain, word));
    const [found] = await rows<{ says: boolean[] }>(
      database.db,
      sql`select jsonb_build_array(${sql.join(says, sql`, `)}) as says`,
    );
    expect(found?.says).toEqual([false, false, true, true]);
    await database.close();
  });
});
