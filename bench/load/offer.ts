import { setMaxListeners } from 'node:events';
import { Agent, request } from 'node:http';

export type Answer = { status: number; ms: number; retryAfter: string | undefined; body: string };
/** `keep`: its answer is read for what it says; lists are large, and otherwise nobody looks at them here. */
export type Call = { path: string; cookie: string; post?: string; keep?: boolean };

/** One connection is kept and used again for each call under way: what a caller costs here the server does not get. */
export function caller(address: string) {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(address);
  /** An answer with status 0 is one that never came. */
  const ask = ({ path, cookie, post, keep = post !== undefined }: Call): Promise<Answer> =>
    new Promise((resolve) => {
      const at = performance.now();
      const ended = (status: number, retryAfter: string | undefined, body: string): void =>
        resolve({ status, ms: performance.now() - at, retryAfter, body });
      const headers = { cookie, ...(post === undefined ? {} : { 'content-type': 'application/json' }) };
      const method = post === undefined ? 'GET' : 'POST';
      const call = request({ agent, hostname, port, path, method, headers }, (reply) => {
        const parts: Buffer[] = [];
        reply.on('data', (part: Buffer) => keep && parts.push(part));
        reply.on('error', () => ended(0, undefined, ''));
        reply.on('end', () =>
          ended(reply.statusCode ?? 0, reply.headers['retry-after'], Buffer.concat(parts).toString()),
        );
      });
      call.on('error', () => ended(0, undefined, ''));
      call.end(post);
    });
  return { ask, close: () => agent.destroy() };
}

/**
 * Begins a call at each instant at which one is due, whether the server keeps up or not, and is done when all were answered.
 * `late` is how long after it was due a call began: time of the callers' own machine, which counts for whoever waits.
 */
export async function offer(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  begin: (late: number) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const begun = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = begun + (n * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const one: Promise<void> = begin(Math.max(0, performance.now() - due)).finally(() => running.delete(one));
    running.add(one);
  }
  await Promise.all(running);
}

/** Times of a kind of call: counted in tenths of a millisecond up to a minute, so that half an hour of them needs no more room. */
export function times() {
  const most = 600_000;
  const counts = new Map<number, number>();
  let all = 0;
  return {
    add: (ms: number): void => {
      const tenth = Math.min(most, Math.round(ms * 10));
      counts.set(tenth, (counts.get(tenth) ?? 0) + 1);
      all += 1;
    },
    count: () => all,
    at: (share: number): number => {
      let left = Math.ceil(share * all);
      for (const tenth of [...counts.keys()].sort((one, other) => one - other)) {
        left -= counts.get(tenth) ?? 0;
        if (left <= 0) return tenth / 10;
      }
      return 0;
    },
  };
}
export type Times = ReturnType<typeof times>;

export type Streams = { open: () => number; heard: () => number; broken: () => number; close: () => void };

/** Event streams that stay open, and are opened again a second after the server ended one. */
export async function openStreams(address: string, cookies: readonly string[]): Promise<Streams> {
  const agent = new Agent({ keepAlive: false });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  let [open, heard, broken] = [0, 0, 0];
  const listen = (cookie: string): Promise<void> =>
    new Promise((ready) => {
      const again = (): void => {
        ready();
        if (stop.signal.aborted) return;
        broken += 1;
        setTimeout(() => void listen(cookie), 1_000).unref();
      };
      const call = request(`${address}/api/events`, { agent, headers: { cookie }, signal: stop.signal }, (reply) => {
        if (reply.statusCode !== 200) {
          reply.resume().on('end', again);
          return;
        }
        open += 1;
        reply.on('data', (part: Buffer) => {
          if (part.includes('"topic"')) heard += 1;
        });
        reply.on('error', () => {});
        reply.on('close', () => {
          open -= 1;
          again();
        });
        ready();
      });
      call.on('error', () => ready());
      call.end();
    });
  for (let n = 0; n < cookies.length; n += 25) await Promise.all(cookies.slice(n, n + 25).map(listen));
  return { open: () => open, heard: () => heard, broken: () => broken, close: () => stop.abort() };
}
