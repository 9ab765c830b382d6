import type { PickLine, PickSheet } from '../../contract/picking.ts';
import { type Handling, handlings } from '../../domain/picking.ts';
import { countOf } from '../http/format.ts';
import { Flag } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { useRecord } from './api.ts';
import { Quantity } from './quantity.tsx';
import { allOf, handlingLabel, isDone } from './words.ts';

type ProductLine = {
  key: string;
  name: string;
  caseSize: number | null;
  handling: Handling;
  units: number;
  lines: PickLine[];
  where: string[];
};

/** The route's products over all stops, to fetch whole cases in one walk along the shelves. */
export function ByProduct({ sheet }: { sheet: PickSheet }) {
  const products = productsOf(sheet);
  const onward = useFocusOnward('next');
  const isOpen = sheet.route.state === 'picking';
  return handlings.map((kind) => {
    const own = products.filter(({ handling }) => handling === kind);
    if (own.length === 0) return null;
    return (
      <Card key={kind} title={handlingLabel[kind]} count={own.length}>
        <ul aria-label={handlingLabel[kind]} {...onward}>
          {own.map((product) => (
            <ProductRow key={product.key} product={product} routeId={sheet.route.routeId} isOpen={isOpen} />
          ))}
        </ul>
      </Card>
    );
  });
}

type RowProps = { product: ProductLine; routeId: number; isOpen: boolean };

/** One product of the walk. The next one is ticked while the pick of this is still on its way. */
function ProductRow({ product, routeId, isOpen }: RowProps) {
  const { record, isPending } = useRecord(routeId);
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1 last:border-b-0">
      {/* A pen ticks here what a tap does on the screen. */}
      <span aria-hidden className="hidden size-4 flex-none rounded-s border border-text print:block" />
      <Quantity units={product.units} caseSize={product.caseSize} className="min-w-28" />
      <span className="min-w-40 flex-1">
        {product.name}
        <span className="block text-12 text-text-2">{product.where.join(', ')}</span>
      </span>
      <Picked lines={product.lines} />
      {isOpen && !isDone(product.lines) && (
        <Button
          icon="check"
          pending={isPending}
          aria-label={`${openText(product)} of ${product.name}`}
          onClick={() => record(allOf(product.lines))}
          className="max-lg:min-h-12 max-sm:ml-auto"
        >
          {openText(product)}
        </Button>
      )}
    </li>
  );
}

/** What the button takes: the lines of which something was picked at their stop are left as they are. */
function openText({ units, lines }: ProductLine): string {
  const open = unitsOf(lines.filter(({ picked }) => picked === null));
  return `${open === units ? 'All' : 'Other'} ${countOf(open, 'unit')}`;
}

const unitsOf = (lines: readonly PickLine[]): number => lines.reduce((sum, { planned }) => sum + planned, 0);

function Picked({ lines }: { lines: readonly PickLine[] }) {
  const short = lines.reduce((sum, { planned, picked }) => sum + Math.max(0, planned - (picked ?? planned)), 0);
  if (short > 0) return <Flag tone="warn">{`${countOf(short, 'unit')} short`}</Flag>;
  const more = lines.reduce((sum, { planned, picked }) => sum + Math.max(0, (picked ?? planned) - planned), 0);
  if (more > 0) return <Flag tone="warn">{`${countOf(more, 'unit')} more`}</Flag>;
  return isDone(lines) ? <Flag tone="ok">Picked</Flag> : null;
}

function productsOf({ stops }: PickSheet): ProductLine[] {
  const found = new Map<string, ProductLine>();
  for (const stop of stops) {
    for (const line of stop.totes.flatMap(({ lines }) => lines)) {
      const { productName: name, caseSize, handling, planned } = line;
      // Two products may bear one name; one that is not of the catalogue has only its name.
      const key = String(line.productId ?? name);
      const product = found.get(key) ?? { key, name, caseSize, handling, units: 0, lines: [], where: [] };
      found.set(key, product);
      product.units += planned;
      product.lines.push(line);
      const place = `stop ${stop.stopOrder}${line.slotNumber ? ` ${line.slotNumber}` : ''}: ${planned}`;
      // A line breaks between two stops, never within one.
      product.where.push(place.replaceAll(' ', '\u00a0'));
    }
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}
