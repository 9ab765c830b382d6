import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeVisit, openVisit, recordProgress, saveLocation } from '../actions.ts';
import { createOffline, type Offline } from '../offline.ts';
import { forgetSession, rememberSession } from '../session.ts';
import {
  buildSession,
  FakeClock,
  Fuse,
  fakeEnvironment,
  fusedStore,
  fusedTransport,
  untilIdle,
} from '../testing/fake-phone.ts';
import { type Fault, ScriptedServer } from '../testing/scripted-server.ts';
import { openedEvent } from '../testing/server-seal.ts';
import { listDrafts, putDrafts } from './drafts.ts';
import { listUnsent } from './outbox.ts';
import { type Entry, itemKey } from './records.ts';
import { openStore, type Store } from './store.ts';

const runs = process.env.MILKRUN_LONG === '1' ? 500 : 60;
const location = { type: 'market', id: 1 } as const;

type Step =
  | { do: 'change'; item: number }
  | { do: 'save' }
  | { do: 'stop'; stop: number }
  | { do: 'visit' }
  | { do: 'leave' }
  | { do: 'send'; faults: Fault[] }
  | { do: 'late' }
  | { do: 'switch'; user: number }
  | { do: 'two-tabs' }
  | { do: 'crash'; afterSteps: number };

const fault = fc.constantFrom<Fault[]>(
  'none',
  'lost-request',
  'lost-answer',
  'twice',
  'late',
  'broken',
  'busy',
  'signed-out',
);
const change = fc.record({ do: fc.constant('change' as const), item: fc.integer({ min: 1, max: 6 }) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: change },
  { weight: 3, arbitrary: fc.constant({ do: 'save' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), stop: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'visit' as const }, { do: 'leave' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('send' as const), faults: fc.array(fault, { maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'late' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), user: fc.integer({ min: 1, max: 2 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'two-tabs' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('crash' as const), afterSteps: fc.integer({ min: 1, max: 30 }) }),
  },
);

let databases = 0;

/** A phone that can be killed and started again, and what a person was told about it. */
class Phone {
  readonly clock = new FakeClock();
  readonly server = new ScriptedServer(this.clock.now);
  readonly disk: Store = openStore(`model-${++databases}`);
  /** Each change has a number of its own, so that its effect can be told apart. */
  marker = 0;
  user = 1;
  readonly told = new Set<string>();
  readonly stepsTold = new Set<string>();
  readonly visitsTold = new Set<string>();
  readonly draftTold = new Map<string, number>();
  /** Who was signed in when an entry was made. */
  readonly authors = new Map<string, number>();
  private seen = new Map<string, Entry['status']>();
  private fuse = new Fuse(Number.POSITIVE_INFINITY);
  offline: Offline = this.boot(this.fuse);

  private boot(fuse: Fuse): Offline {
    const transport = fusedTransport(this.server.transport, fuse);
    const environment = fakeEnvironment(this.clock, transport, 'unused');
    return createOffline(environment, fusedStore(this.disk, fuse));
  }

  restart(steps: number): void {
    this.clock.clear();
    this.fuse = new Fuse(steps);
    this.offline = this.boot(this.fuse);
  }

  /** No more crashes: a process that died in the background starts again, a living one goes on as it is. */
  async revive(): Promise<void> {
    this.fuse.disarm();
    if (!this.fuse.isBurnt) return;
    this.restart(Number.POSITIVE_INFINITY);
    await this.signIn(this.user);
  }

  /** Runs to the end, or to the death of the process. */
  async survive(work: () => Promise<void>): Promise<void> {
    const ended = await Promise.race([work().then(() => 'ended' as const), this.fuse.died]);
    if (ended === 'ended') return;
    this.restart(Number.POSITIVE_INFINITY);
    await this.signIn(this.user);
  }

  async take(step: Step): Promise<void> {
    this.clock.nowMs += 1_000;
    if (step.do === 'crash') this.restart(step.afterSteps);
    else await this.survive(() => this.act(step));
    await this.checkKept();
  }

  /** At every moment: what was told is on the phone or with the server, and a final answer is never taken back. */
  private async checkKept(): Promise<void> {
    const entries = await this.stored();
    const kept = new Set(entries.map((entry) => entry.id));
    for (const id of this.told) expect(kept.has(id) || this.server.applied.has(id)).toBe(true);
    for (const entry of entries) {
      const before = this.seen.get(entry.id);
      if (before !== undefined && before !== 'unsent') expect(entry.status).toBe(before);
      const author = this.authors.get(entry.id) ?? this.user;
      expect(entry.userId).toBe(author);
      this.authors.set(entry.id, author);
    }
    this.seen = new Map(entries.map((entry) => [entry.id, entry.status]));
    // Only what the server has for good may leave the phone.
    for (const id of this.authors.keys()) {
      expect(kept.has(id) || this.server.applied.has(id) || this.server.field.has(id)).toBe(true);
    }
  }

  private async act(step: Exclude<Step, { do: 'crash' }>): Promise<void> {
    if (step.do === 'change') return this.change(step.item);
    if (step.do === 'save') return this.save();
    if (step.do === 'stop') return this.stop(step.stop);
    if (step.do === 'visit') return void (await openVisit(this.offline, { location, routeId: 1, stopId: 1 }));
    if (step.do === 'leave') return this.leave();
    if (step.do === 'late') return this.server.deliverLate();
    if (step.do === 'switch') return this.signIn(step.user);
    if (step.do === 'two-tabs') {
      await Promise.all([this.offline.sender.flush(), this.boot(this.fuse).sender.flush()]);
      return;
    }
    this.server.play(step.faults);
    await this.offline.sender.flush();
    this.server.play([]);
  }

  async signIn(user: number): Promise<void> {
    await forgetSession(this.offline, { isTold: true });
    this.user = user;
    await rememberSession(this.offline, buildSession(user));
  }

  private async change(item: number): Promise<void> {
    const quantity = ++this.marker;
    const user = this.user;
    await putDrafts(this.offline.store, [
      {
        userId: user,
        itemType: 'market_item',
        itemId: item,
        location,
        locationKey: 'market:1',
        productName: `Item ${item}`,
        shown: 0,
        change: { kind: 'count', quantity, reason: 'manual_count' },
        earlier: [],
        changedAt: new Date(this.clock.now()).toISOString(),
      },
    ]);
    this.draftTold.set(`${user}/${item}`, quantity);
  }

  private async save(): Promise<void> {
    const entries = await saveLocation(this.offline, { location, position: null });
    for (const entry of entries) this.told.add(entry.id);
  }

  /** Each skip has a reason of its own, so that its effect can be told apart. */
  private async stop(stopId: number): Promise<void> {
    const reason = `Reason ${++this.marker}`;
    await recordProgress(this.offline, { steps: [{ type: 'stop-skipped', routeId: 1, stopId, reason }] });
    this.stepsTold.add(reason);
  }

  private async leave(): Promise<void> {
    const visitId = await openVisit(this.offline, { location, routeId: 1, stopId: 1 });
    await closeVisit(this.offline, visitId);
    this.visitsTold.add(visitId);
  }

  async stored(): Promise<Entry[]> {
    return this.disk.read(['outbox'], (tx) => tx.objectStore('outbox').getAll());
  }

  /** A fresh start, nothing goes wrong any more, and each person signs in once. */
  async settle(): Promise<void> {
    this.restart(Number.POSITIVE_INFINITY);
    this.server.play([]);
    for (const user of [1, 2]) {
      await this.signIn(user);
      await this.offline.sender.flush();
    }
    this.server.deliverLate();
  }

  /** No restart, no tap: only the timers that are set run, until the outbox is empty. Tells how many it took. */
  async waitOut(): Promise<number> {
    for (let timers = 0; timers < 40; timers++) {
      await untilIdle(this.offline.sender.isSending);
      if (!(await this.isUnsent())) return timers;
      if (!this.clock.runNext()) break;
    }
    return Number.POSITIVE_INFINITY;
  }

  private async isUnsent(): Promise<boolean> {
    const unsent = await listUnsent(this.disk, 0, 1_000);
    return unsent.length > 0;
  }
}

async function play(steps: Step[], prepare: (server: ScriptedServer) => void = () => {}): Promise<Phone> {
  const phone = new Phone();
  prepare(phone.server);
  await phone.signIn(1);
  for (const step of steps) await phone.take(step);
  return phone;
}

/** Steps once each and in their order at each device, visits closed. */
function checkField(phone: Phone): void {
  const field = [...phone.server.field.values()];
  const skipped = field.flatMap((event) => (event.type === 'stop-skipped' ? [event.reason] : []));
  expect(new Set(skipped).size).toBe(skipped.length);
  for (const reason of phone.stepsTold) expect(skipped).toContain(reason);
  const closed = field.flatMap((event) => (event.type === 'visit' && event.closedAtClient ? [event.visitId] : []));
  for (const visitId of phone.visitsTold) expect(closed).toContain(visitId);
  for (const event of phone.server.applied.values()) {
    if (event.visitId) expect(field.some((one) => one.type === 'visit' && one.visitId === event.visitId)).toBe(true);
  }
}

const scripts = fc.array(step, { minLength: 3, maxLength: 22 });

test('nothing that was saved on the phone is lost, and each change takes effect once', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (steps) => {
      const phone = await play(steps);
      await phone.settle();
      for (const id of phone.told) expect(phone.server.applied.has(id)).toBe(true);
      const effects = [...phone.server.applied.values()].map((event) => event.quantity);
      expect(new Set(effects).size).toBe(effects.length);
      checkField(phone);
      await phone.disk.close();
    }),
    { numRuns: runs },
  );
});

test('a change typed and not saved survives crashes until it is saved or replaced', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (steps) => {
      const phone = await play(steps);
      await phone.settle();
      const drafts = [...(await listDrafts(phone.disk, 1)), ...(await listDrafts(phone.disk, 2))];
      const known = new Set(drafts.map((draft) => draft.change.quantity));
      for (const event of phone.server.applied.values()) known.add(event.quantity);
      for (const quantity of phone.draftTold.values()) expect([...known].some((one) => one >= quantity)).toBe(true);
      const keys = drafts.map((draft) => `${draft.userId}/${itemKey(draft)}`);
      expect(new Set(keys).size).toBe(keys.length);
      await phone.disk.close();
    }),
    { numRuns: Math.ceil(runs / 4) },
  );
});

test('an event refused for ever, or one that breaks the server, holds up no other', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(scripts, async (steps) => {
      const phone = await play(steps, (server) => {
        server.refusedItems.add(1);
        server.poisonItems.add(2);
      });
      await phone.settle();
      for (const entry of await phone.stored()) {
        const event = 'event' in entry ? openedEvent<object & { eventId: string }>(entry.event) : null;
        if (event === null || !('itemId' in event)) continue;
        const expected = { 1: 'refused', 2: 'unsent' }[Number(event.itemId)] ?? 'saved';
        expect(entry.status).toBe(expected);
      }
      // A sign-out leaves nothing behind that the server has.
      const kept = new Set((await phone.stored()).map((entry) => entry.id));
      for (const id of phone.told) expect(kept.has(id) || phone.server.applied.has(id)).toBe(true);
      await phone.disk.close();
    }),
    { numRuns: Math.ceil(runs / 2) },
  );
});

const outage = fc.array(
  fault.filter((one) => one !== 'none'),
  { maxLength: 6 },
);

test('once the network is well the outbox empties by itself', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(scripts, outage, async (steps, faults) => {
      const phone = await play([...steps, { do: 'change', item: 1 }]);
      await phone.survive(async () => void (await saveLocation(phone.offline, { location, position: null })));
      await phone.revive();
      phone.server.play(faults);
      phone.offline.sender.kick('save');
      // One timer per fault and one to send; an earlier pause and a second tab may each have set one of their own.
      expect(await phone.waitOut()).toBeLessThanOrEqual(faults.length + 3);
      await phone.disk.close();
    }),
    { numRuns: Math.ceil(runs / 2) },
  );
});
