import type { LocationRef } from '../../domain/location.ts';
import { dayWord, isWorthSaying } from '../../domain/need.ts';
import { formatMoney, today } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { Flag } from '../ui/badge.tsx';
import { type Need, useLocationNeed } from './api.ts';

type Props = { place: LocationRef; visit?: string | null };

/** One line of why a location is to be visited; nothing while that is not known. */
export function WhyLine({ place, visit = null }: Props) {
  const need = useLocationNeed(place, visit);
  if (!need) return null;
  return (
    <span className="line-clamp-2 text-12 text-text-2" title={[...need.why, lossSentence(need)].join(' ')}>
      {need.why[0] ?? shortLoss(need)}
    </span>
  );
}

/** How many run out before the visit and what that costs, for a narrow row. */
export function NeedFlag({ place }: Props) {
  const need = useLocationNeed(place);
  const missing = need ? need.soldOut + need.runningOut : 0;
  if (!need || missing === 0) return null;
  return (
    <span title={[...need.why, lossSentence(need)].join(' ')}>
      <Flag tone={need.soldOut > 0 ? 'bad' : 'warn'}>
        {missing} {missing === 1 ? 'runs' : 'run'} out
        {isWorthSaying(toNumber(need.lostMoney)) && `, ${formatMoney(need.lostMoney, need.currency)}`}
      </Flag>
    </span>
  );
}

function shortLoss(need: Need): string {
  if (need.unitsPerDay === 0) return 'No sales are expected here.';
  const isToday = need.nextVisit <= today();
  const visit = dayWord(today(), need.nextVisit);
  if (!isWorthSaying(toNumber(need.lostMoney))) {
    return isToday ? 'Nothing runs out today.' : `Nothing runs out before ${visit}.`;
  }
  return `Expected loss ${formatMoney(need.lostMoney, need.currency)} until ${visit}.`;
}

/** Expected loss until the visit, as a sentence. */
export function lossSentence(need: Need): string {
  const visit = dayWord(today(), need.nextVisit);
  return `Expected lost sales until the visit ${visit}: ${formatMoney(need.lostMoney, need.currency)}.`;
}
