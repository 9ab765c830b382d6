import type { LocationRef } from '../../domain/location.ts';
import { dayWord, isWorthSaying } from '../../domain/need.ts';
import { countOf, formatMoney, today } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { useLocationNeed } from '../need/api.ts';
import { StateShape } from '../ui/badge.tsx';

/** What needs somebody here before the next visit, in a sentence; nothing while all is well. */
export function NeedBanner({ place }: { place: LocationRef }) {
  const need = useLocationNeed(place);
  if (!need) return null;
  const { soldOut, runningOut, lostMoney, nextVisit, nextVisitPlanned, currency } = need;
  const isBad = soldOut > 0;
  const loses = isWorthSaying(toNumber(lostMoney));
  if (!isBad && runningOut === 0 && !loses) return null;
  const slots = (count: number): string => {
    if (place.type === 'market') return countOf(count, 'product');
    return countOf(count, 'slot');
  };
  const visit = dayWord(today(), nextVisit);
  return (
    <section
      aria-label="What needs you here"
      className={`flex items-start gap-3 rounded border bg-ground px-4 py-3 print:hidden ${isBad ? 'border-bad' : 'border-warn'}`}
    >
      <span className="pt-1">
        <StateShape tone={isBad ? 'bad' : 'warn'} />
      </span>
      <p>
        <span className="font-semibold">
          {isBad && `${slots(soldOut)} sold out. `}
          {runningOut > 0 && `${slots(runningOut)} ${runningOut === 1 ? 'runs' : 'run'} out before the next visit. `}
        </span>
        {nextVisitPlanned ? `Next visit is planned ${visit}.` : `No visit is planned; the usual one would be ${visit}.`}
        {loses && ` Expected loss until then ${formatMoney(lostMoney, currency)}.`}
      </p>
    </section>
  );
}
