import { hash } from '../../simulator/random.ts';
import type { Place } from '../fleet.ts';
import type { World } from '../vendor.ts';
import { bigNumber, deviceIdOf, machineClock, machineIdOf, type Out, timeText } from './records.ts';

const hourMs = 3_600_000;
const days = 7;

/** Event, its category, and what ends it after some hours. */
const kinds = [
  { code: 2, name: 'Power down', category: 'Power', end: { code: 1, name: 'Power up', hours: 2 } },
  { code: 31, name: 'Door open', category: 'Door', end: { code: 32, name: 'Door closed', hours: 1 } },
  {
    code: 47,
    name: 'Temperature high',
    category: 'Temperature',
    end: { code: 48, name: 'Temperature normal', hours: 5 },
  },
  { code: 60, name: 'Bill validator communication error', category: 'Payment', end: null },
  { code: 71, name: 'Product sold out', category: 'Stock', end: null },
  { code: 90, name: 'Settings downloaded', category: 'Information', end: null },
] as const;

export type Event = { number: number; code: number; name: string; category: string; data: string | null; at: Date };

/** Events of a machine in the last week, newest first: about one in five machines has one on a day. */
export function eventsOf(world: World, place: Place): Event[] {
  const now = world.now().getTime();
  const today = Math.floor(now / (24 * hourMs));
  const events: Event[] = [];
  for (let day = today - days; day <= today; day++) {
    const mark = hash(world.seed, place.site.id, day, 9);
    if (mark % 5 !== 0) continue;
    const kind = kinds[Math.floor(mark / 7) % kinds.length] ?? kinds[0];
    const at = new Date(day * 24 * hourMs + (mark % (20 * hourMs)));
    const number = day * 100_000_000 + place.site.id * 10;
    const slot = place.lines[mark % Math.max(1, place.lines.length)]?.slotNumber ?? null;
    const data = kind.category === 'Stock' && slot ? `Selection ${slot}` : null;
    events.push({ number, code: kind.code, name: kind.name, category: kind.category, data, at });
    if (kind.end) {
      const endAt = new Date(at.getTime() + kind.end.hours * hourMs);
      events.push({
        number: number + 1,
        code: kind.end.code,
        name: kind.end.name,
        category: kind.category,
        data: null,
        at: endAt,
      });
    }
  }
  return events.filter((event) => event.at.getTime() <= now && event.at >= world.fleet.from).reverse();
}

/** `GET /v1/machines/{id}/lastAlerts`. */
export function alertRecords(world: World, place: Place): Out[] {
  return eventsOf(world, place).map((event) => ({
    MachineID: machineIdOf(place),
    EventLogID: bigNumber(8_800_000_000_000_000_000n + BigInt(event.number)),
    EventCode: event.code,
    EventDescription: event.name,
    EventCategoryName: event.category,
    EventGroupName: null,
    EventSourceName: 'Device',
    EventData: event.data,
    EventDateTimeGMT: timeText(event.at, place.site.id),
    EventDateTimeVMC: machineClock(place, event.at),
    TransactionID: null,
    DeviceID: deviceIdOf(place),
    EntityTypeName: 'Machine',
    JSONData: null,
  }));
}
