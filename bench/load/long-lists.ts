import type { Running } from '../../server/start.ts';
import { signedIn } from '../signed-in.ts';
import { memoryMbOf, startServerProcess } from './processes.ts';

/** Every call that answers a whole list, however long it is. */
const lists = [
  '/api/markets/with-inventory',
  '/api/vending-machines',
  '/api/inventory',
  '/api/inventory/low-stock',
  '/api/vending-machine-alerts',
  '/api/routes',
  '/api/scheduled-routes',
  '/api/vending-inventory',
];

const mostMemoryMb = 250;
/** What somebody else may wait meanwhile. */
const mostWaitMs = 150;
const askedEveryMs = 20;

/** One whole list after the other: when its first bytes come, what the server holds meanwhile, and how long others wait. PostgreSQL only. */
export async function longLists(running: Running, say: (line: string) => void): Promise<boolean> {
  const { deps } = running;
  const { env } = deps;
  if (!env.databaseUrl) {
    say('SKIPPED: long-lists. It needs PostgreSQL: add --profile XL or --database URL.');
    return true;
  }
  const cookie = await signedIn(deps, 'admin');
  const server = await startServerProcess(['dist/server/main.js', 'serve'], {
    ...{
      DATABASE_URL: env.databaseUrl,
      MILKRUN_DATA: env.dataFolder,
      MILKRUN_DEMO: '0',
      PORT: '0',
      LOG_LEVEL: 'silent',
    },
    MILKRUN_ROLE: 'web',
  });
  say('Whole lists: first bytes, all, size, most memory meanwhile, longest wait of another call');
  let isMet = true;
  try {
    for (const path of lists) {
      const seen = await read(server, path, cookie);
      const isGood = seen.memoryMb <= mostMemoryMb && seen.waitMs <= mostWaitMs;
      isMet &&= isGood;
      say(
        `  ${path.padEnd(30)} ${seen.firstMs.toFixed(0).padStart(6)} ${seen.allMs.toFixed(0).padStart(7)} ms ${(seen.bytes / 1e6).toFixed(1).padStart(7)} MB ${seen.memoryMb.toFixed(0).padStart(6)} MB ${seen.waitMs.toFixed(0).padStart(6)} ms  goal ${mostMemoryMb} MB, ${mostWaitMs} ms ${isGood ? 'met' : 'missed'}`,
      );
    }
  } finally {
    await server.stop();
  }
  return isMet;
}

type Server = Awaited<ReturnType<typeof startServerProcess>>;

async function read({ address, pid }: Server, path: string, cookie: string) {
  let isOver = false;
  let memoryMb = 0;
  let waitMs = 0;
  const others = (async () => {
    while (!isOver) {
      const at = performance.now();
      await (await fetch(`${address}/healthz`)).text();
      waitMs = Math.max(waitMs, performance.now() - at);
      memoryMb = Math.max(memoryMb, memoryMbOf(pid));
      await new Promise((resolve) => setTimeout(resolve, askedEveryMs));
    }
  })();
  const begun = performance.now();
  // Nothing is unpacked here: callers and server share the machine.
  const reply = await fetch(address + path, { headers: { cookie, 'accept-encoding': 'identity' } });
  if (!reply.ok || !reply.body) throw new Error(`${path} answered ${reply.status}`);
  let firstMs = 0;
  let bytes = 0;
  for await (const part of reply.body) {
    firstMs ||= performance.now() - begun;
    bytes += part.length;
  }
  const allMs = performance.now() - begun;
  isOver = true;
  await others;
  return { firstMs, allMs, bytes, memoryMb, waitMs };
}
