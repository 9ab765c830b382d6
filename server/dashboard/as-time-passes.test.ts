import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LiveEvent } from '../../contract/sync.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildRoute, buildStop } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { tellAsTimePasses } from './as-time-passes.ts';

const noon = Date.parse('2026-03-12T15:00:00Z');
const minutesAgo = (minutes: number) => new Date(noon - minutes * 60_000);

onEachDatabase('What changes by the clock alone', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(open);
  });
  afterAll(() => t.close());

  /** A route with one stop that was to be reached then; late from more than a quarter of an hour on. */
  async function routeDue(
    minutes: number,
    fields: Partial<Parameters<typeof buildStop>[2]> = {},
    status = 'in_progress',
  ) {
    const { id } = await buildRoute(t.deps.db, { status, routeDesignation: '101' });
    await buildStop(t.deps.db, id, { marketId: 1, stopOrder: 1, estimatedArrival: minutesAgo(minutes), ...fields });
    return id;
  }

  it('is told of routes that became late just now, and of no others', async () => {
    const heard: LiveEvent[] = [];
    const event = new Promise<void>((resolve) => {
      t.deps.live.subscribe({
        ...{ sid: 'open', sees: ({ topic }) => topic === 'routes', gap: () => {}, end: () => {} },
        send: (told) => {
          heard.push(told);
          resolve();
        },
      });
    });
    await routeDue(14);
    await routeDue(60);
    await routeDue(16, { skippedReason: 'Closed' });
    await routeDue(16, { completed: true });
    await routeDue(16, {}, 'completed');
    const late = await routeDue(16);
    expect(await tellAsTimePasses(t.deps)).toEqual({ ids: [late], isNewDay: false });
    await event;
    expect(heard).toEqual([{ topic: 'routes', ids: [late] }]);
    t.setNow(minutesAgo(-10));
    expect((await tellAsTimePasses(t.deps)).ids).not.toContain(late);
  });

  it("is told of a day that ended, which is the operator's", async () => {
    t.setNow(new Date('2026-03-13T03:59:00Z'));
    expect(await tellAsTimePasses(t.deps)).toEqual({ ids: [], isNewDay: false });
    t.setNow(new Date('2026-03-13T04:01:00Z'));
    expect(await tellAsTimePasses(t.deps)).toEqual({ ids: [], isNewDay: true });
  });
});
