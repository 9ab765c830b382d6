import { counter, machineTime, plainName, text, vendsFirst } from './elements.ts';
import type { DexSelection, PayingDevice } from './reading.ts';
import type { Segment } from './segments.ts';

const devices: readonly string[] = ['CA', 'DA', 'DB', 'TA'] satisfies PayingDevice[];
const isDevice = (told: string): told is PayingDevice => devices.includes(told);

export type Selections = { selections: DexSelection[]; shifted: boolean; swapped: boolean };

/** The machine's selections: each PA1 and the segments that follow it, and the price lists that name it. */
export function readSelections(segments: readonly Segment[]): Selections {
  const heads = segments.filter((segment) => segment.id === 'PA1');
  // One maker leaves element 1 empty and puts everything one further, in all lines of a file alike.
  const shifted = heads.length > 0 && heads.every((head) => text(head, 1) === '' && text(head, 2) !== '');
  const selections: DexSelection[] = [];
  const byId = new Map<string, DexSelection>();
  let open: DexSelection | null = null;
  for (const segment of segments) {
    if (segment.id === 'PA1') {
      open = startSelection(segment, shifted ? 1 : 0);
      selections.push(open);
      if (!byId.has(open.id)) byId.set(open.id, open);
    } else if (/^PA[2-8]$/.test(segment.id)) {
      if (open) addTo(open, segment, byId);
    } else {
      // Order matters: a segment describes the last list head before it.
      open = /^(?:EA|MA|CA|DA|DB|TA|VA|SA|PP)/.test(segment.id) ? null : open;
      if (segment.id === 'LA1') addList(byId, segment);
    }
  }
  return { selections, shifted, swapped: areSwapped(selections) };
}

function startSelection(segment: Segment, by: number): DexSelection {
  return {
    id: text(segment, 1 + by).slice(0, 20),
    name: plainName(text(segment, 3 + by)),
    price: counter(segment, 2 + by),
    capacity: counter(segment, 4 + by),
    level: counter(segment, 8 + by),
    minimum: counter(segment, 9 + by),
    absent: text(segment, 7 + by) === '1',
    vends: null,
    value: null,
    vendsSinceReset: null,
    valueSinceReset: null,
    test: null,
    free: null,
    soldOutAt: null,
    byDevice: [],
    mixedVends: null,
    lists: [],
    raw: { pa1: segment.elements, pa2: [] },
  };
}

function addTo(open: DexSelection, segment: Segment, byId: Map<string, DexSelection>): void {
  if (segment.id === 'PA2') {
    if (open.raw.pa2.length) return;
    Object.assign(open, vendsFirst(segment));
    open.raw.pa2 = segment.elements;
  } else if (segment.id === 'PA3') open.test = vendsFirst(segment);
  else if (segment.id === 'PA4') open.free = vendsFirst(segment);
  else if (segment.id === 'PA5') open.soldOutAt = machineTime(text(segment, 1), text(segment, 2));
  else if (segment.id === 'PA8') open.mixedVends = counter(segment, 3);
  else if (segment.id === 'PA7') {
    const device = text(segment, 2);
    const of = byId.get(text(segment, 1)) ?? open;
    if (!isDevice(device)) return;
    of.byDevice.push({
      device,
      priceList: text(segment, 3),
      price: counter(segment, 4),
      ...vendsFirst(segment, 5),
    });
  }
}

function addList(byId: Map<string, DexSelection>, segment: Segment): void {
  byId.get(text(segment, 2))?.lists.push({
    list: text(segment, 1),
    price: counter(segment, 3),
    vendsSinceReset: counter(segment, 4),
    vends: counter(segment, 5),
  });
}

/** One maker writes the count since reset above the one since initialisation, which cannot be: they are swapped. */
function areSwapped(selections: readonly DexSelection[]): boolean {
  const counted = selections.filter((one) => one.vends !== null && one.vendsSinceReset !== null);
  const above = counted.filter((one) => (one.vendsSinceReset ?? 0) > (one.vends ?? 0));
  // A machine with all zeros since initialisation does not keep that counter at all.
  return (
    above.length > 0 &&
    counted.some((one) => one.vends !== 0) &&
    counted.every((one) => (one.vendsSinceReset ?? 0) >= (one.vends ?? 0))
  );
}
