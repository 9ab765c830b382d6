import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publish } from '../../server/live/hub.ts';
import type { Running } from '../../server/start.ts';
import type { Figures } from '../baseline.ts';
import { quantile } from '../measure.ts';
import { signedIn } from '../signed-in.ts';

const streams = 200;
const notes = 10;
/** Events of a topic are told at most once a second: each note waits until the last one has passed. */
const quietMs = 1_100;

type Fan = { times: number[]; stop: () => void };

/** From the commit of a change to its arrival at every open stream, against a bare node:http server writing the same line. */
export async function liveStreams({ deps, address }: Running, say: (line: string) => void): Promise<Figures> {
  const cookie = await signedIn(deps);
  const open = new Set<ServerResponse>();
  const bare = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: ready\ndata: {}\n\n');
    open.add(response);
  });
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const bareAddress = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const write = async (): Promise<void> => {
    for (const response of open) response.write('data: {"topic":"stock","ids":[1]}\n\n');
  };
  const theirs = await fanOut(bareAddress, {}, write);
  const memoryBefore = process.memoryUsage.rss();
  const ours = await fanOut(`${address}/api/events`, { cookie }, () => publish(deps.db, { topic: 'stock', ids: [1] }));
  const memoryKb = (process.memoryUsage.rss() - memoryBefore) / 1024 / streams;
  const [p50, p99, bareP50] = [quantile(ours.times, 0.5), quantile(ours.times, 0.99), quantile(theirs.times, 0.5)];
  say(
    `Live updates to ${streams} streams\n  bare p50 ${bareP50.toFixed(1)} ms, p99 ${quantile(theirs.times, 0.99).toFixed(1)} ms; milkrun, from before the commit, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; about ${memoryKb.toFixed(0)} kB a stream, the caller's side included`,
  );
  theirs.stop();
  ours.stop();
  bare.closeAllConnections();
  bare.close();
  return { 'live streams': p50 / Math.max(1, bareP50) };
}

async function fanOut(address: string, headers: Record<string, string>, tell: () => Promise<void>): Promise<Fan> {
  const stop = new AbortController();
  const times: number[] = [];
  let toldAt = 0;
  let heard = (): void => {};
  const listen = async (): Promise<void> => {
    const reply = await fetch(address, { headers, signal: stop.signal });
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    const follow = async (): Promise<void> => {
      for (;;) {
        const part = await reader?.read();
        if (!part || part.done) return;
        if (!part.value.includes('"topic"')) continue;
        times.push(performance.now() - toldAt);
        heard();
      }
    };
    // Ends with the abort.
    follow().catch(() => {});
  };
  for (let n = 0; n < streams; n += 20) await Promise.all(Array.from({ length: 20 }, listen));
  for (let note = 1; note <= notes; note++) {
    toldAt = performance.now();
    const all = new Promise<void>((resolve) => {
      heard = () => times.length >= note * streams && resolve();
    });
    await tell();
    await all;
    await new Promise((resolve) => setTimeout(resolve, quietMs));
  }
  return { times, stop: () => stop.abort() };
}
