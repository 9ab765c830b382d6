import type { PickSheet } from '../../contract/picking.ts';
import { returnLabel } from '../../domain/return-labels.ts';
import { countOf } from '../http/format.ts';
import { Card } from '../ui/card.tsx';

/** What the driver brought back: the next list should have had less of it. */
export function CameBack({ sheet: { cameBack } }: { sheet: PickSheet }) {
  if (cameBack.length === 0) return null;
  return (
    <Card title="Came back" count={cameBack.length}>
      <ul aria-label="Came back">
        {cameBack.map(({ productName, reason, units }) => (
          <li
            key={`${productName}-${reason}`}
            className="flex min-h-10 items-center gap-3 border-line border-b px-4 py-1 last:border-b-0"
          >
            <span className="w-20 flex-none text-right font-semibold tabular-nums">{countOf(units, 'unit')}</span>
            <span className="min-w-0 flex-1">{productName}</span>
            <span className="text-text-2">{returnLabel[reason]}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
