import { durationText } from '../../../domain/units.ts';
import { formatMiles } from '../../http/format.ts';
import type { Summary } from './summary.ts';

export function DayFigures({ summary, photosUnsent }: { summary: Summary; photosUnsent: number }) {
  const { stops, done, skipped, unitsFilled, minutes, miles } = summary;
  const rows = [
    ['Stops completed', `${done} of ${stops}`],
    ['Stops skipped', String(skipped)],
    ['Units filled', String(unitsFilled)],
    ['Time on the route', minutes === null ? 'Not started' : durationText(minutes)],
    ['Distance, as planned', formatMiles(miles)],
    ['Photos not sent', String(photosUnsent)],
  ];
  return (
    <dl aria-label="The day in figures" className="border-line border-b bg-subtle px-4 py-2 text-16">
      {rows.map(([label, value]) => (
        <div key={label} className="flex min-h-10 items-center justify-between gap-4">
          <dt className="text-text-2">{label}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
