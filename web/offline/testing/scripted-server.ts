import type { FieldNotices } from '../../../contract/stock-review.ts';
import type { EventResult } from '../../../contract/sync.ts';
import type { FieldEvent } from '../../../domain/field-event.ts';
import type { StockEvent } from '../../../domain/inventory.ts';
import type { Answer, Call, Transport } from '../environment.ts';
import { openedEvent, sealKeyOf } from './server-seal.ts';

/** What the network does to one call. */
export type Fault = 'none' | 'lost-request' | 'lost-answer' | 'twice' | 'late' | 'broken' | 'busy' | 'signed-out';

type PhoneEvent = StockEvent | FieldEvent;
type PushBody = { deviceId: string; sentAtClient: string; events: PhoneEvent[] };

const isStock = (event: PhoneEvent): event is StockEvent => 'itemId' in event;

/** A server in memory that knows each event by its id, behind a network that follows a script. */
export class ScriptedServer {
  readonly applied = new Map<string, StockEvent>();
  readonly field = new Map<string, FieldEvent>();
  readonly photos = new Set<string>();
  readonly arrivals: string[] = [];
  /** Ids of items whose events are refused for good. */
  readonly refusedItems = new Set<number>();
  /** What is remarked on the events of an item that are taken. */
  readonly remarks = new Map<number, string>();
  /** Ids of stops that the office took off their route. */
  readonly refusedStops = new Set<number>();
  /** Ids of items whose events make the server fail, with whatever else is in the batch. */
  readonly poisonItems = new Set<number>();
  /** What became of earlier changes. */
  notices: FieldNotices = { conflicts: [], decided: [] };
  calls = 0;
  private script: Fault[] = [];
  private readonly delayed: Call[] = [];
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  play(faults: readonly Fault[]): void {
    this.script = [...faults];
  }

  /** Requests the network held back arrive now, long after newer ones. */
  deliverLate(): void {
    for (const call of this.delayed.splice(0)) this.handle(call);
  }

  readonly transport: Transport = async (call) => {
    this.calls += 1;
    switch (this.script.shift() ?? 'none') {
      case 'lost-request':
        return { outcome: 'unreachable' };
      case 'lost-answer':
        this.handle(call);
        return { outcome: 'unreachable' };
      case 'twice':
        this.handle(call);
        return this.handle(call);
      case 'late':
        this.delayed.push(call);
        return { outcome: 'unreachable' };
      case 'broken':
        return refused(500, null);
      case 'busy':
        return refused(503, 30_000);
      case 'signed-out':
        return refused(401, null);
      default:
        return this.handle(call);
    }
  };

  private handle(call: Call): Answer {
    if (call.method === 'PUT') return this.takePhoto(call);
    if (call.path === '/api/photos/missing') return this.namesMissing(call);
    if (call.path === '/api/field-notices') return { outcome: 'answered', body: this.notices };
    if (call.path === '/api/phone-seals/keys') return this.handOutKeys(call);
    if (call.method === 'GET') return refused(404, null);
    // The wire carries text: what arrives shares nothing with the phone's own objects.
    const body: PushBody = JSON.parse(JSON.stringify(call.body));
    const events = body.events.map(openedEvent);
    if (events.some((event) => isStock(event) && this.poisonItems.has(event.itemId))) return refused(500, null);
    const results = events.map((event) => this.take(event));
    return { outcome: 'answered', body: { serverTime: new Date(this.now()).toISOString(), results } };
  }

  private take(event: PhoneEvent): EventResult {
    const answer = { eventId: event.eventId, reason: null, quantity: null, version: null };
    if (isStock(event) && this.refusedItems.has(event.itemId))
      return { ...answer, status: 'rejected', reason: 'This item was removed.' };
    if ('stopId' in event && event.stopId !== null && this.refusedStops.has(event.stopId))
      return { ...answer, status: 'rejected', reason: 'This stop was taken off the route.' };
    if (this.applied.has(event.eventId) || this.field.has(event.eventId)) return { ...answer, status: 'duplicate' };
    if (isStock(event)) this.applied.set(event.eventId, event);
    else this.field.set(event.eventId, event);
    this.arrivals.push(event.eventId);
    return { ...answer, status: 'applied', reason: (isStock(event) && this.remarks.get(event.itemId)) || null };
  }

  private handOutKeys(call: Call): Answer {
    const { names } = call.body as { names: string[] };
    return { outcome: 'answered', body: { keys: names.map((name) => sealKeyOf(name).toString('base64url')) } };
  }

  private namesMissing(call: Call): Answer {
    const { hashes } = call.body as { hashes: string[] };
    return { outcome: 'answered', body: { missing: hashes.filter((hash) => !this.photos.has(hash)) } };
  }

  private takePhoto(call: Call): Answer {
    this.photos.add(call.path.split('/').at(-1) ?? '');
    return { outcome: 'answered', body: null };
  }
}

function refused(status: number, retryAfterMs: number | null): Answer {
  return { outcome: 'refused', status, detail: 'The server could not do that.', isProblem: true, retryAfterMs };
}
