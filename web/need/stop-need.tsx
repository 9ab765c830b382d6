import type { ReactNode } from 'react';
import type { Reply } from '../../contract/endpoint.ts';
import type { getNeed, NeededItem } from '../../contract/need.ts';
import type { LocationRef } from '../../domain/location.ts';
import { dayWord, isWorthSaying, needFormulas } from '../../domain/need.ts';
import { countOf, formatMoney, today } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { useNeedDetail } from './api.ts';

type Props = { place: LocationRef; visit: string | null };
type Detail = Reply<typeof getNeed>;

/** Why a stop is in the plan, what to load for it, and how these numbers are made. Nothing without a connection. */
export function StopNeed({ place, visit }: Props) {
  const { data } = useNeedDetail(place, visit);
  if (!data) return null;
  const { location } = data;
  const why = location.why.length > 0 ? location.why : ['Nothing is expected to run out before this visit.'];
  return (
    <div className="grid gap-3 border-line border-b p-4">
      <Part title="Why this stop">
        {why.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p className="text-text-2">{leftOutSentence(data)}</p>
      </Part>
      <Load items={data.items} total={location.fillUnits} />
      <Explained data={data} />
    </div>
  );
}

function leftOutSentence({ location: { savedMoney, prizeSeconds, visitAfter }, currency }: Detail): string {
  const until = dayWord(today(), visitAfter);
  if (!isWorthSaying(toNumber(savedMoney))) return `Left out, it would lose hardly anything more until ${until}.`;
  const minutes = Math.round(prizeSeconds / 60);
  const driving = minutes > 0 ? `, as much as ${minutes} min of driving` : '';
  return `Left out, it would lose ${formatMoney(savedMoney, currency)} more until ${until}${driving}.`;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-1">
      <h3 className="font-semibold text-14">{title}</h3>
      {children}
    </section>
  );
}

type Product = { name: string; units: number; slots: string[] };

/** Units by product, most first: what goes on the truck. */
function productsOf(items: readonly NeededItem[]): Product[] {
  const products = new Map<string, Product>();
  for (const item of items) {
    if (item.fill === 0) continue;
    const product = products.get(item.productName) ?? { name: item.productName, units: 0, slots: [] };
    product.units += item.fill;
    if (item.slotNumber) product.slots.push(`${item.slotNumber}: ${item.fill}`);
    products.set(item.productName, product);
  }
  return [...products.values()].sort((a, b) => b.units - a.units || a.name.localeCompare(b.name));
}

function Load({ items, total }: { items: readonly NeededItem[]; total: number }) {
  return (
    <details>
      <summary className="cursor-pointer py-1.5 font-semibold text-14 max-lg:py-3.5">
        What to load: {countOf(total, 'unit')}
      </summary>
      <ul aria-label="What to load" className="max-h-76 overflow-y-auto">
        {productsOf(items).map((product) => (
          <li key={product.name} className="flex items-baseline gap-3 border-line border-b py-1 last:border-b-0">
            <span className="w-10 flex-none text-right font-semibold tabular-nums">{product.units}</span>
            <span className="min-w-0 flex-1">{product.name}</span>
            <span className="text-12 text-text-2">{product.slots.join(', ')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Explained({ data }: { data: Detail }) {
  const { location, currency, costPerHour, overallError } = data;
  const ending = data.items.filter((item) => item.lostUnits >= 0.05).slice(0, 8);
  return (
    <details className="text-12 text-text-2">
      <summary className="cursor-pointer py-2 max-lg:py-4">How this is reckoned</summary>
      <ul className="grid gap-1">
        {ending.map((item) => (
          <li key={`${item.itemType}:${item.id}`}>
            {item.slotNumber && `${item.slotNumber} `}
            {item.productName}: {item.onHand} there, {item.perDay} a day
            {item.daysOfCover !== null && `, lasts ${item.daysOfCover.toFixed(1)} days`}; {item.untilVisit} asked for
            until the visit, {item.lostUnits} of them lost ({formatMoney(item.lostMoney, currency)})
          </li>
        ))}
        <li>{needFormulas.perDay}.</li>
        <li>{needFormulas.daysOfCover}.</li>
        <li>{needFormulas.lost}.</li>
        <li>{needFormulas.fill}.</li>
        <li>
          {needFormulas.prize} ({formatMoney(String(costPerHour), currency)}).
        </li>
        <li>
          {needFormulas.error}. Here: {errorText(location.error)}. All locations: {errorText(overallError)}.
        </li>
      </ul>
    </details>
  );
}

function errorText(error: Detail['overallError']): string {
  if (!error) return 'no past count yet';
  const lean = error.bias >= 0 ? 'too many' : 'too few';
  return `off by ${error.mae.toFixed(1)} on average over ${countOf(error.counts, 'past count')}, ${Math.abs(error.bias).toFixed(1)} ${lean}`;
}
