import { AppLink } from '../address/app-link.tsx';

/** `key` tells rows of the same name apart; `href` leads to what is behind the figure. */
type Row = { key?: string; label: string; value: string; share: number; href?: string | undefined };

/** Names with a figure and a bar of its share of the largest. */
export function BarList({ rows }: { rows: readonly Row[] }) {
  return (
    <ul className="grid min-w-0 grid-cols-1 gap-3">
      {rows.map((row) => (
        <li key={row.key ?? row.label} className={row.href ? 'press-row' : ''}>
          <div className="flex justify-between gap-2">
            <span className="truncate" title={row.label}>
              {row.href ? (
                <AppLink href={row.href} className="text-link">
                  {row.label}
                </AppLink>
              ) : (
                row.label
              )}
            </span>
            <span className="whitespace-nowrap">{row.value}</span>
          </div>
          <div className="mt-1 h-1 bg-idle-soft">
            <div className="h-full bg-series-1" style={{ width: `${Math.round(row.share * 100)}%` }} />
          </div>
        </li>
      ))}
    </ul>
  );
}
