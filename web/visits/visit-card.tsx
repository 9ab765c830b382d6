import type { Visit } from '../../contract/visits.ts';
import { countOf, formatDate, formatMoney, formatTime } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { Icon } from '../ui/icon.tsx';
import { spoiledWords, totalsOf } from './totals.ts';
import { VisitPictures } from './visit-pictures.tsx';

type Props = { visit: Visit; currency: string };

/** One visit: when, who and how long, what it changed in five numbers, and what was noted beside. */
export function VisitCard({ visit, currency }: Props) {
  const { openedAt, minutes, personName, lines, note, photos } = visit;
  const title = `${formatDate(openedAt)}, ${formatTime(openedAt)}`;
  return (
    <li className="grid gap-2 border-line border-b px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h4 className="font-semibold text-14 text-text">{title}</h4>
        <p className="text-14 text-text-2">
          {personName ?? 'Former user'}, {minutes === null ? 'not finished' : `${minutes} min`}
        </p>
      </div>
      {lines.length > 0 ? <Totals lines={lines} /> : <p className="text-text-2">Nothing was counted.</p>}
      <Facts visit={visit} currency={currency} />
      {note && <p className="whitespace-pre-line break-words text-text">{note}</p>}
      {photos.length > 0 && <VisitPictures photos={photos} visitTitle={title} openedAt={openedAt} />}
      {lines.length > 0 && <Lines lines={lines} />}
    </li>
  );
}

function known(units: number | null): string {
  return units === null ? '–' : String(units);
}

function Totals({ lines }: { lines: Visit['lines'] }) {
  const totals = totalsOf(lines);
  const numbers = [
    ['Found', totals.beginning],
    ['Added', totals.adds],
    ['Removed', totals.removed],
    ['Spoiled', totals.spoiled],
    ['Left', totals.ending],
  ] as const;
  return (
    <dl className="m-0 grid max-w-md grid-cols-5 gap-2">
      {numbers.map(([label, units]) => (
        <div key={label} className="grid">
          <dt className="order-2 text-12 text-text-2">{label}</dt>
          <dd className="order-1 m-0 font-semibold text-16 text-text tabular-nums">{known(units)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Three decimals, a hundred metres: closer than that no position is kept. */
function positionWords({ latitude, longitude }: Visit): string {
  if (latitude === null || longitude === null) return '';
  return `${toNumber(latitude).toFixed(3)}, ${toNumber(longitude).toFixed(3)}`;
}

/** Bag, refunds, why units were spoiled and where the phone was, as far as they are known. */
function Facts({ visit, currency }: Props) {
  const spoiled = spoiledWords(visit.lines);
  const facts = [
    ['Spoiled', spoiled],
    ['Cash bag', visit.bagNumber ?? ''],
    ['Refunds', visit.refunds === null ? '' : formatMoney(visit.refunds, currency)],
    ['Position', positionWords(visit)],
  ].filter(([, words]) => words !== '');
  if (facts.length === 0) return null;
  return (
    <dl className="m-0 flex flex-wrap gap-x-4 gap-y-1">
      {facts.map(([label, words]) => (
        <div key={label} className="flex min-w-0 gap-1">
          <dt className="text-text-2">{label}</dt>
          <dd className="m-0 min-w-0 break-words font-medium text-text">{words}</dd>
        </div>
      ))}
    </dl>
  );
}

const numberCell = 'px-1 py-1 text-right tabular-nums';

function Lines({ lines }: { lines: Visit['lines'] }) {
  return (
    <details className="group">
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-1 text-accent max-lg:min-h-12">
        <span className="transition-transform group-open:rotate-90">
          <Icon name="right" />
        </span>
        {countOf(lines.length, 'product')}
      </summary>
      <table className="w-full table-fixed border-collapse text-12 sm:text-14">
        <thead className="text-text-2">
          <tr className="border-line border-b">
            <th scope="col" className="py-1 text-left font-medium">
              Product
            </th>
            {['Found', 'Added', 'Rem.', 'Spoil.', 'Left'].map((label) => (
              <th key={label} scope="col" className="w-11 px-1 py-1 text-right font-medium sm:w-16">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={`${line.itemType}:${line.itemId}`} line={line} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Line({ line }: { line: Visit['lines'][number] }) {
  const spoiled = spoiledWords([line]);
  const reasons = (line.reasons ?? []).join(', ').replaceAll('_', ' ');
  return (
    <tr className="border-line border-b last:border-b-0">
      <th scope="row" className="break-words py-1 pr-1 text-left font-normal text-text">
        {line.slotNumber && <span className="text-text-2">{line.slotNumber} </span>}
        {line.productName}
        {reasons && <span className="block text-text-2">{reasons}</span>}
        {spoiled && <span className="block text-text-2">spoiled: {spoiled}</span>}
      </th>
      <td className={numberCell}>{known(line.beginning)}</td>
      <td className={numberCell}>{line.adds}</td>
      <td className={numberCell}>{line.removed}</td>
      <td className={numberCell}>{line.spoiled}</td>
      <td className={`${numberCell} font-semibold`}>{known(line.ending)}</td>
    </tr>
  );
}
