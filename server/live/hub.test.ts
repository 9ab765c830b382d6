import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInAs } from '../auth/service.ts';
import { endSessionsOf } from '../auth/sessions.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { publish } from './hub.ts';

onEachDatabase('a change that concerns more than one note of the database can name', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  it('is told to each of a thousand routes', async () => {
    const routes = Array.from({ length: 1_000 }, (_, n) => `Route designation ${n}`);
    const told = new Set<string>();
    const all = new Promise<void>((resolve) => {
      test.deps.live.subscribe({
        sid: '',
        sees: (note) => {
          for (const route of note.routes ?? []) told.add(route);
          if (told.size === routes.length) resolve();
          return false;
        },
        send: () => {},
        gap: () => {},
        end: () => {},
      });
    });
    await publish(test.deps.db, { topic: 'stock', ids: [7], routes });
    await all;
    expect([...told].toSorted()).toEqual(routes.toSorted());
  });

  it('ends every session of a person who has two hundred', async () => {
    const { db } = test.deps;
    const { id } = await buildUser(db, { role: 'route_manager' });
    for (let n = 0; n < 200; n++) await signInAs(test.deps, id);
    const open = (await rows<{ sid: string }>(db, sql`select sid from sessions where user_id = ${id}`)).map(
      ({ sid }) => sid,
    );
    const ended = open.map(
      (sid) =>
        new Promise<void>((end) => {
          test.deps.live.subscribe({ sid, sees: () => false, send: () => {}, gap: () => {}, end });
        }),
    );
    expect(ended).toHaveLength(200);
    await endSessionsOf(db, id);
    await Promise.all(ended);
    expect(await rows(db, sql`select 1 from sessions where user_id = ${id}`)).toEqual([]);
  });
});
