import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestPostgres } from '../../testing/databases/databases.ts';
import { firstRow } from '../database.ts';

const server = process.env.TEST_DATABASE_URL;
if (!server) process.stderr.write('** SKIPPED: settings of a connection. TEST_DATABASE_URL is not set. **\n');

it.skipIf(!server)('no statement of ours is compiled, and none runs without an end', async () => {
  const database = await openTestPostgres(server ?? '');
  const found = await firstRow(
    database.db,
    sql`select current_setting('jit') as jit, current_setting('statement_timeout') as longest`,
  );
  expect(found).toEqual({ jit: 'off', longest: '30s' });
  await database.close();
});

it.skipIf(!server)('a migration has all the time it takes, whatever limits the role has', async () => {
  const database = await openTestPostgres(server ?? '');
  await database.db.execute(sql`do $$ begin
    execute format('alter database %I set statement_timeout = ''30s''', current_database());
    execute format('alter database %I set idle_in_transaction_session_timeout = ''10s''', current_database());
  end $$`);
  const unlimited = ['statement_timeout', 'idle_in_transaction_session_timeout'].map(
    (name) => `assert current_setting('${name}') = '0'`,
  );
  await expect(database.script(`do $$ begin ${unlimited.join('; ')}; end $$`)).resolves.toBeUndefined();
  await database.close();
});
