import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { findEnginePackage, type Manifest } from '../roads-folder.ts';
import { type Engine, EngineFailed, type Reason } from './provider.ts';
import { type AskValhalla, valhallaEngine } from './valhalla.ts';
import { valhallaConfig } from './valhalla-config.ts';

/** In one call a table of 200 by 200 takes thrice the time of four of 100 by 100. */
const tableLimit = 100;
const wayLimit = 200;
const answerMs = 60_000;

type Answer = { id: number; answer: string } | { id: number; error: string };
type Waiting = { done: (json: unknown) => void; failed: (error: Error) => void };

/** The engine built into the folder, in its own thread, started with the first question; null without package or tiles. */
export function embeddedValhalla(folder: string, built: Manifest, worker: URL): Engine | null {
  const main = findEnginePackage(folder);
  if (!main || built.engine === null) return null;
  const config = JSON.stringify(valhallaConfig(path.join(folder, built.engine)));
  const thread = engineThread(() => new Worker(worker, { workerData: { main, config } }));
  const engine = valhallaEngine(thread.send, { tableLimit, wayLimit, name: 'embedded', close: thread.close });
  return { ...engine, covers: coverage(built), version: async () => `valhalla-embedded-${built.version}` };
}

/** About two kilometres around the streets of the extract. */
const marginDegrees = 0.02;

function coverage({ map }: Manifest): NonNullable<Engine['covers']> {
  const [west, south, east, north] = map?.bounds ?? [-180, -90, 180, 90];
  return ({ lat, lng }) =>
    lat >= south - marginDegrees &&
    lat <= north + marginDegrees &&
    lng >= west - marginDegrees &&
    lng <= east + marginDegrees;
}

function engineThread(start: () => Worker) {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | null = null;
  let nextId = 1;

  const lose = (lost: Worker, error: Error): void => {
    if (thread !== lost) return;
    thread = null;
    for (const { failed } of waiting.values()) failed(new EngineFailed('the road engine ended', { cause: error }));
    waiting.clear();
  };

  const running = (): Worker => {
    if (thread) return thread;
    const started = start();
    started.unref();
    started.on('message', (answer: Answer) => settle(waiting, answer));
    started.on('error', (error) => lose(started, error));
    started.on('exit', () => lose(started, new Error('the thread ended')));
    thread = started;
    return started;
  };

  const send: AskValhalla = (action, question) =>
    new Promise((done, failed) => {
      const id = nextId++;
      const timer = setTimeout(() => {
        waiting.delete(id);
        failed(new EngineFailed('the road engine took too long'));
      }, answerMs);
      const after = <T>(act: (value: T) => void) => {
        return (value: T): void => {
          clearTimeout(timer);
          act(value);
        };
      };
      waiting.set(id, { done: after(done), failed: after(failed) });
      running().postMessage({ id, action, question: JSON.stringify(question) });
    });

  return {
    send,
    close: async () => {
      await thread?.terminate();
    },
  };
}

function settle(waiting: Map<number, Waiting>, answer: Answer): void {
  const one = waiting.get(answer.id);
  waiting.delete(answer.id);
  if (!one) return;
  if ('answer' in answer) one.done(JSON.parse(answer.answer));
  else one.failed(new EngineFailed(answer.error, { reason: reasonOf(answer.error) }));
}

/** The package gives the sentence of the failure, without its number. */
function reasonOf(sentence: string): Reason {
  if (/No suitable edges|No data found/.test(sentence)) return 'no-road';
  if (/No path could be found/.test(sentence)) return 'no-way';
  if (/unconnected|exceeds the max distance/.test(sentence)) return 'unconnected';
  if (/circumference/.test(sentence)) return 'refused';
  return /Exceeded max/.test(sentence) ? 'too-large' : 'down';
}
