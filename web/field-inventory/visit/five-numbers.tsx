import { type VisitLine, visitLine } from '../../../domain/field-event.ts';
import type { StockRow } from '../../offline/kept/reads.ts';
import { movementsOf } from '../../offline/outbox/outbox.ts';
import type { Draft } from '../../offline/outbox/records.ts';

/** The five numbers of an item as the office will read them, from what is typed so far. */
export function fiveNumbers(row: Pick<StockRow, 'quantity'>, draft: Draft | undefined): VisitLine {
  const shown = draft?.shown ?? row.quantity;
  const line = visitLine((draft ? movementsOf(draft) : []).map((movement) => ({ ...movement, shown })));
  return { ...line, beginning: line.beginning ?? shown, ending: line.ending ?? shown };
}

export function FiveNumbers({ row, draft }: { row: StockRow; draft: Draft | undefined }) {
  const line = fiveNumbers(row, draft);
  const numbers = [
    ['Found', line.beginning],
    ['Added', line.adds],
    ['Removed', line.removed],
    ['Spoiled', line.spoiled],
    ['Left', line.ending],
  ] as const;
  return (
    <dl aria-label="This visit in five numbers" className="m-0 grid grid-cols-5 text-center">
      {numbers.map(([label, value]) => (
        <div key={label} className="grid">
          <dd className="order-1 m-0 text-20 font-semibold tabular-nums text-text">{value}</dd>
          <dt className="order-2 text-12 text-text-2">{label}</dt>
        </div>
      ))}
    </dl>
  );
}
