import type { ReactNode } from 'react';

export type Mark = { key: string; label: string; text: string };
export type Point = Mark & { value: number };

/** The top of the scale: the next 1, 2 or 5 times a power of ten. */
export function niceTop(largest: number): number {
  if (largest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 2, 2.5, 5, 10].find((times) => times * power >= largest) ?? 10;
  return step * power;
}

/** So few stand far from the edges: each label stands under its own. */
const fewPoints = 6;

type Props = {
  /** What is drawn, read aloud. */
  label: string;
  points: readonly Mark[];
  top: number;
  /** A value of the scale as text. */
  scale: (value: number) => string;
  /** Names of the two columns of the table behind the picture. */
  columns: readonly [string, string];
  children: ReactNode;
};

/** Scale, picture and first, middle and last label; the numbers themselves are a table underneath. */
export function ChartFrame({ label, points, top, scale, columns, children }: Props) {
  const marks = [0, Math.floor((points.length - 1) / 2), points.length - 1];
  const shown = [...new Set(marks)].flatMap((at) => points[at] ?? []);
  const isSparse = points.length <= fewPoints;
  return (
    <figure className="grid gap-2">
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-12 text-text-3">
        <div className="grid h-36 content-between text-right" aria-hidden="true">
          <span>{scale(top)}</span>
          <span>{scale(top / 2)}</span>
          <span>{scale(0)}</span>
        </div>
        <div className="relative my-2 h-32 border-line border-y bg-[linear-gradient(var(--line),var(--line))] bg-[length:100%_1px] bg-center bg-no-repeat">
          <svg
            role="img"
            aria-label={label}
            viewBox={`0 0 ${Math.max(1, points.length) * 10} 100`}
            preserveAspectRatio="none"
            className="absolute inset-0 h-full w-full"
          >
            {children}
          </svg>
        </div>
        <span />
        <div className="flex justify-between" aria-hidden="true">
          {(isSparse ? points : shown).map((point) => (
            <span key={point.key} className={isSparse ? 'flex min-w-0 flex-1 justify-center whitespace-nowrap' : ''}>
              {shown.includes(point) && point.label}
            </span>
          ))}
        </div>
      </div>
      <details className="text-12 text-text-2 print:not-open:hidden">
        <summary className="cursor-pointer py-1 max-lg:py-4">Show as a table</summary>
        <table className="w-full">
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th key={column} scope="col" className={`font-medium ${at === 0 ? 'text-left' : 'text-right'}`}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.key} className="border-line border-t">
                <td className="py-0.5">{point.label}</td>
                <td className="text-right">{point.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
