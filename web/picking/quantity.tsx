import { casesText } from './words.ts';

type Props = { units: number; caseSize: number | null; className: string };

/** How many to take, and what a case holds where there is a whole one. */
export function Quantity({ units, caseSize, className }: Props) {
  return (
    <span className={`flex-none whitespace-nowrap text-right font-semibold text-16 tabular-nums ${className}`}>
      {casesText(units, caseSize)}
      {caseSize !== null && caseSize > 1 && units >= caseSize && (
        <span className="block font-normal text-12 text-text-2">{`${caseSize} a case`}</span>
      )}
    </span>
  );
}
