import type { EventResult } from '../../../contract/sync.ts';
import { progressOf } from '../day/progress.ts';
import type { Answer } from '../environment.ts';
import { asPushReply } from '../kept/answers.ts';
import { sendPhotos } from '../photos/send-photos.ts';
import { type DrainDeps, type Pass, type Sent, stopFor } from './drain-pass.ts';
import { listUnsent, pruneAnswered, settleEvents } from './outbox.ts';
import type { Entry } from './records.ts';

/** Most events of one upload, as the server has it. */
const batchSize = 200;

/** Answers in a row saying 'I failed' (500) before a pass gives up: enough to halve a full batch down to one event. */
const failureBudget = 9;

/** Sends what is waiting, once. Safe to run twice at the same time: the server knows each event by its id. */
export async function drainOnce(deps: DrainDeps): Promise<Pass> {
  const events = await sendEvents(deps);
  if (events.stopped) return events.stopped;
  const photos = await sendPhotos(deps);
  if (photos.stopped) return photos.stopped;
  await pruneAnswered(deps.store, deps.environment.now());
  const left = events.left + photos.left;
  return { verdict: left > 0 ? 'waiting' : 'done', retryAfterMs: null };
}

async function sendEvents(deps: DrainDeps): Promise<Sent> {
  const held: Entry[] = [];
  const heldItems = new Set<string>();
  let left = 0;
  let afterSeq = 0;
  for (;;) {
    const page = await listUnsent(deps.store, afterSeq, batchSize);
    const last = page.at(-1);
    if (!last) break;
    afterSeq = last.seq;
    const clear: Entry[] = [];
    for (const entry of page) (isHeldBack(deps, entry, heldItems) ? held : clear).push(entry);
    const sent = await sendHalving(deps, clear);
    if (sent.stopped) return sent;
    left += sent.left;
  }
  for (let i = 0; i < held.length; i += batchSize) {
    const sent = await sendHalving(deps, held.slice(i, i + batchSize));
    if (sent.stopped) return sent;
    left += sent.left;
  }
  return { stopped: null, left };
}

/** A later change of the same item stays behind: the server would take the one that comes last for the newest. */
function isHeldBack({ suspects }: DrainDeps, entry: Entry, heldItems: Set<string>): boolean {
  if (!('itemKey' in entry)) return suspects.has(entry.seq);
  if (suspects.has(entry.seq)) heldItems.add(entry.itemKey);
  return heldItems.has(entry.itemKey);
}

/** What the server is told. Steps kept by an older version of the app go as today's. */
function eventOf(entry: Entry) {
  return 'event' in entry ? entry.event : progressOf(entry);
}

/** Sends a batch; one that the server cannot take as a whole is halved until the culprit stands alone. */
async function sendHalving(deps: DrainDeps, batch: Entry[]): Promise<Sent> {
  const stack = batch.length > 0 ? [batch] : [];
  let left = 0;
  let failures = 0;
  for (let chunk = stack.pop(); chunk; chunk = stack.pop()) {
    const step = await sendChunk(deps, chunk);
    if (step.kind === 'stop') return { stopped: step.pass, left };
    if (step.kind === 'answered') failures = 0;
    left += step.kind === 'answered' ? step.left : 0;
    if (step.kind !== 'too-much') continue;
    failures += step.failed ? 1 : 0;
    const alone = chunk[0];
    if (chunk.length === 1 && alone) {
      left += 1;
      deps.suspects.add(alone.seq);
    }
    if (failures >= failureBudget) return { stopped: { verdict: 'waiting', retryAfterMs: null }, left };
    const middle = Math.ceil(chunk.length / 2);
    if (chunk.length > 1) stack.push(chunk.slice(middle), chunk.slice(0, middle));
  }
  return { stopped: null, left };
}

type Step =
  | { kind: 'answered'; left: number }
  /** `failed`: the server broke; otherwise it refused the size or the shape. */
  | { kind: 'too-much'; failed: boolean }
  | { kind: 'stop'; pass: Pass };

async function sendChunk(deps: DrainDeps, chunk: Entry[]): Promise<Step> {
  deps.onSending(chunk.map((entry) => entry.id));
  const answer = await deps.environment.transport({
    method: 'POST',
    path: '/api/sync/events',
    body: {
      deviceId: deps.deviceId,
      sentAtClient: new Date(deps.environment.now()).toISOString(),
      events: chunk.map(eventOf),
    },
  });
  const step = await takeAnswer(deps, chunk, answer);
  deps.onSending([]);
  return step;
}

async function takeAnswer(deps: DrainDeps, chunk: Entry[], answer: Answer): Promise<Step> {
  const stop = stopFor(answer, 'batch');
  deps.onReached(answer.outcome !== 'unreachable');
  if (stop) return { kind: 'stop', pass: stop };
  const nowMs = deps.environment.now();
  if (answer.outcome === 'answered') {
    const reply = asPushReply(answer.body);
    if (!reply) return { kind: 'stop', pass: { verdict: 'unreachable', retryAfterMs: null } };
    const bySeq = matched(chunk, reply.results);
    await settleEvents(deps.store, { bySeq, serverTime: reply.serverTime, nowMs });
    return { kind: 'answered', left: chunk.length - bySeq.size };
  }
  const refused = answer.outcome === 'refused' ? answer : null;
  const final = refused !== null && refused.status < 500 && refused.isProblem;
  const alone = chunk[0];
  if (chunk.length > 1 || !final || !alone) return { kind: 'too-much', failed: !final };
  const result = {
    eventId: alone.id,
    status: 'rejected' as const,
    reason: refused.detail,
    quantity: null,
    version: null,
  };
  await settleEvents(deps.store, { bySeq: new Map([[alone.seq, result]]), serverTime: null, nowMs });
  return { kind: 'answered', left: 0 };
}

function matched(chunk: Entry[], results: EventResult[]): Map<number, EventResult> {
  const seqOf = new Map(chunk.map((entry) => [entry.id, entry.seq]));
  const bySeq = new Map<number, EventResult>();
  for (const result of results) {
    const seq = seqOf.get(result.eventId);
    if (seq !== undefined) bySeq.set(seq, result);
  }
  return bySeq;
}
