import type { ReactNode } from 'react';
import type { ImportResult } from '../../contract/imports.ts';
import { maxReportDays } from '../../domain/report.ts';
import { addDays } from '../../domain/time.ts';
import { countOf, formatDay, formatMoney, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { usePastImports } from './api.ts';
import { kindWords } from './wording.ts';

const shownNotes = 20;

type Props = { id: number; result: ImportResult };

/** What an import would do, or did. */
export function ReportCard({ id, result }: Props) {
  const { dryRun, rows, created, updated, unchanged, repeated, refused } = result;
  const isUndone = useIsUndone(result);
  const counts = [
    { label: 'New', value: created },
    { label: 'Changed', value: updated },
    { label: 'Unchanged', value: unchanged },
    ...(repeated ? [{ label: 'Repeated', value: repeated }] : []),
    { label: 'Refused', value: refused.total },
  ];
  return (
    <Card title={dryRun ? 'What would happen' : 'Imported'} count={`${countOf(rows, 'row')} read`}>
      <p role="status" className="px-4 pt-3 text-text-2">
        {whatBecame(dryRun, isUndone)}
      </p>
      <dl className="flex flex-wrap gap-x-8 gap-y-3 px-4 py-3">
        {counts.map(({ label, value }) => (
          <div key={label} className="grid">
            <dt className="text-12 text-text-3">{label}</dt>
            <dd className={`font-semibold text-20 ${label === 'Refused' && value > 0 ? 'text-bad-text' : ''}`}>
              {formatNumber(value)}
            </dd>
          </div>
        ))}
      </dl>
      {!dryRun && !isUndone && (
        <nav aria-label="See what was imported" className="flex flex-wrap gap-2 px-4 pb-3">
          {linksTo(result).map(({ href, label }) => (
            <AppLink key={href} href={href} className={`${buttonClass()} max-lg:min-h-12`}>
              {`Open ${label}`}
            </AppLink>
          ))}
        </nav>
      )}
      {result.sales && <Sums sales={result.sales} />}
      <Flagged flagged={result.flagged} sales={result.sales} />
      {result.notes.length > 0 && (
        <Section title="Good to know">
          <ul className="grid gap-1 px-4 pb-3 text-text-2">
            {result.notes.slice(0, shownNotes).map((note) => (
              <li key={note}>{note}</li>
            ))}
            {result.notes.length > shownNotes && (
              <li className="text-text-3">{`${formatNumber(result.notes.length - shownNotes)} more like these`}</li>
            )}
          </ul>
        </Section>
      )}
      <Refused id={id} refused={refused} />
    </Card>
  );
}

function whatBecame(dryRun: boolean, isUndone: boolean): string {
  if (dryRun) return 'Nothing was changed yet.';
  return isUndone
    ? 'This import was undone: what it brought is not in Milkrun any more. The file can be imported again.'
    : 'This is in Milkrun now. The same file again changes nothing.';
}

/** The import on the screen is the newest of its file. */
function useIsUndone({ dryRun, kind, file }: ImportResult): boolean {
  const { data } = usePastImports();
  const made = data?.pages.flatMap(({ imports }) => imports).find((one) => one.kind === kind && one.file === file);
  return !dryRun && made?.undoneAt != null;
}

/** Where it is now. Past sales are in none of the usual ranges of a report, so their own days are opened, the last that fit in one. */
function linksTo({ kind, sales }: ImportResult): { href: string; label: string }[] {
  return kindWords[kind].links.map(({ href, label }) => ({
    label,
    href:
      sales?.firstDay && sales.lastDay
        ? `${href}?type=sales&range=custom&from=${firstShown(sales.firstDay, sales.lastDay)}&to=${sales.lastDay}`
        : href,
  }));
}

function firstShown(first: string, last: string): string {
  const earliest = addDays(last, 1 - maxReportDays);
  return first < earliest ? earliest : first;
}

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-line border-t">
      <div className="flex min-h-12 flex-wrap items-center gap-2 px-4 py-2">
        <h3 className="mr-auto font-semibold">{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}

function Sums({ sales }: { sales: NonNullable<ImportResult['sales']> }) {
  const { transactions, units, amount, currency, firstDay, lastDay, machinesCreated } = sales;
  const days = firstDay && lastDay ? `, ${formatDay(firstDay)} to ${formatDay(lastDay)}` : '';
  return (
    <Section title="Sums, to compare with the old system">
      <p className="px-4 pb-3 text-text-2">
        {`${countOf(transactions, 'transaction')}, ${countOf(units, 'unit')}, ${formatMoney(amount, currency)}${days}`}
      </p>
      {machinesCreated.length > 0 && (
        <p className="px-4 pb-3 text-text-2">
          {`Machines that were not known yet: ${formatNumber(machinesCreated.length)} (${machinesCreated.slice(0, 10).join(', ')}${machinesCreated.length > 10 ? ', ...' : ''})`}
        </p>
      )}
    </Section>
  );
}

const lineWidth = 'w-20 px-4 text-right tabular-nums';

function Refused({ id, refused: { total, first } }: { id: number; refused: ImportResult['refused'] }) {
  if (total === 0) return null;
  const save = (
    <a href={`/api/imports/${id}/refused.csv`} download className={`${buttonClass()} max-lg:min-h-12`}>
      <Icon name="download" />
      {total === 1 ? 'Save it as CSV' : `Save all ${formatNumber(total)} as CSV`}
    </a>
  );
  return (
    <Section title="Refused lines" action={save}>
      <div className="border-line border-t">
        <table aria-label="Refused lines" className="w-full border-collapse">
          <thead>
            <tr className="bg-subtle text-12 text-text-3">
              <th scope="col" className={`${lineWidth} h-8 font-medium`}>
                Line
              </th>
              <th scope="col" className="pr-4 text-left font-medium">
                Reason
              </th>
            </tr>
          </thead>
          <tbody>
            {first.map(({ line, reason }, index) => (
              <tr key={`${line}-${index + 1}`} className="border-line border-t">
                <td className={`${lineWidth} py-2 align-top`}>{line}</td>
                <td className="wrap-anywhere py-2 pr-4">{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > first.length && (
        <p className="border-line border-t px-4 py-2 text-12 text-text-3">
          {`The first ${first.length} of ${formatNumber(total)}`}
        </p>
      )}
    </Section>
  );
}

function Flagged({ flagged, sales }: Pick<ImportResult, 'flagged' | 'sales'>) {
  if (flagged.length === 0) return null;
  return (
    <Section title="To look at">
      <ul className="pb-2">
        {flagged.map(({ reason, count, amount, lines }) => (
          <li key={reason} className="grid px-4 py-1.5">
            <span>
              <span className="font-medium">{formatNumber(count)}</span> {`x ${reason}`}
              {amount !== null && ` (${formatMoney(amount, sales?.currency)})`}
            </span>
            <span className="text-12 text-text-3">
              {`Line ${lines.join(', ')}${count > lines.length ? ', ...' : ''}`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
