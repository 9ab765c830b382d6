import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { startDemoSandbox } from './sandbox.ts';

onEachDatabase('Partner systems beside a demo', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(open);
  });
  afterAll(() => t.close());

  const start = async () => {
    const running = await startDemoSandbox({ ...t.deps.env, demo: true, role: 'all', sandboxUrl: null }, t.deps.db);
    if (!running) throw new Error('nothing was started');
    return running;
  };

  it('answer at the same address after a restart, and at another one where that is taken', async () => {
    const first = await start();
    await first.close();
    const second = await start();
    expect(second.origin).toBe(first.origin);
    await second.close();
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(Number(new URL(first.origin).port), '127.0.0.1', resolve));
    const third = await start();
    expect(third.origin).not.toBe(first.origin);
    await third.close();
    await new Promise((resolve) => stranger.close(resolve));
  });
});
