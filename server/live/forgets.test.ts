import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { askedAlike, lately } from '../db/lately.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('what another process tells', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open);
  });
  afterAll(() => test.close());

  it('is not answered from memory any more: a session that ended there ends here at once', async () => {
    const read = vi.fn(async () => 'who calls');
    const kept = () => lately(test.deps.db, { key: 'session of another', from: ['sessions'] }, read);
    await kept();
    const ended = new Promise<void>((resolve) => {
      test.deps.live.subscribe({ sid: 'ended', sees: () => false, send: () => {}, gap: () => {}, end: resolve });
    });
    const note = { topic: 'settings', ids: [], routes: [], users: [], endSessions: ['ended'] };
    // Past the connections of this process, as another one's would come.
    await test.database.script(`select pg_notify('milkrun_live', '${JSON.stringify(note)}')`);
    await ended;
    await kept();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('is in the sums that all ask alike, before anybody hears of it', async () => {
    const read = vi.fn(async () => read.mock.calls.length);
    const kept = () => askedAlike(test.deps.db, 'sums', read);
    expect(await kept()).toBe(1);
    const asked = new Promise<number>((resolve) => {
      const send = () => resolve(kept());
      test.deps.live.subscribe({ sid: 'open', sees: () => true, send, gap: () => {}, end: () => {} });
    });
    const note = { topic: 'stock', ids: [1], routes: null, users: [] };
    await test.database.script(`select pg_notify('milkrun_live', '${JSON.stringify(note)}')`);
    expect(await asked).toBe(2);
  });
});
