import type { PickedStop } from '../../../contract/need.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { countOf, formatDate, today } from '../../http/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { accessText } from '../access-hours.ts';
import { useAccess } from '../api.ts';

type Line = { name: string; units: number; slots: string[] };

/** Units by product, most first: what is taken out of the truck. */
export function linesOf(items: PickedStop['items']): Line[] {
  const lines = new Map<string, Line>();
  for (const { productName, instead, slotNumber, fill } of items) {
    const name = instead ? `${productName} instead of ${instead}` : productName;
    const line = lines.get(name) ?? { name, units: 0, slots: [] };
    line.units += fill;
    if (slotNumber) line.slots.push(`${slotNumber}: ${fill}`);
    lines.set(name, line);
  }
  return [...lines.values()].sort((a, b) => b.units - a.units || a.name.localeCompare(b.name));
}

/** Why the stop is in the plan and what to bring, from this phone alone. */
export function BringPanel({ pick }: { pick: PickedStop }) {
  const why = pick.why.length > 0 ? pick.why : ['Nothing is expected to run out before this visit.'];
  const lines = linesOf(pick.items);
  return (
    <div className="grid gap-3 border-line border-b p-4">
      <section className="grid gap-1">
        <h3 className="font-semibold text-16 text-text">Why this stop</h3>
        {why.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </section>
      <section className="grid gap-1">
        <h3 className="font-semibold text-16 text-text">
          {pick.units === 0
            ? 'Nothing to bring'
            : `Bring ${countOf(pick.units, 'unit')} of ${countOf(lines.length, 'product')}`}
        </h3>
        <ul aria-label="What to bring">
          {lines.map((line) => (
            <li
              key={line.name}
              className="flex min-h-12 items-center gap-3 border-line border-b py-1 text-16 last:border-b-0"
            >
              <span className="w-10 flex-none text-right font-semibold tabular-nums">{line.units}</span>
              <span className="min-w-0 flex-1">{line.name}</span>
              <span className="max-w-[45%] text-right text-14 text-text-2">{line.slots.join(', ')}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

type AccessProps = { place: LocationRef; day: string; lastNote: PickedStop['lastNote'] };

/** How to get in, and what was noted last time. */
export function AccessNotes({ place, day, lastNote }: AccessProps) {
  const access = useAccess(place);
  const when = { day, isToday: day === today() };
  const rows = [
    ...(access?.hours ? [{ icon: 'clock' as const, text: accessText(access.hours, when) }] : []),
    ...(access?.notes ? [{ icon: 'key' as const, text: access.notes }] : []),
    ...(lastNote ? [{ icon: 'message' as const, text: `${formatDate(lastNote.at)}: ${lastNote.text}` }] : []),
  ];
  if (rows.length === 0) return null;
  return (
    <ul aria-label="Before you go in" className="grid gap-2 border-line border-b bg-subtle px-4 py-3 text-16">
      {rows.map(({ icon, text }) => (
        <li key={icon} className="flex gap-3">
          <span className="pt-0.5 text-text-2">
            <Icon name={icon} size={20} />
          </span>
          <span className="min-w-0">{text}</span>
        </li>
      ))}
    </ul>
  );
}
