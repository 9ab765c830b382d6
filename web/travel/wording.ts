import type { Reply } from '../../contract/endpoint.ts';
import type { getTravelEstimate, learnTravelEstimate } from '../../contract/roads.ts';
import { kmToMiles } from '../../domain/units.ts';
import { countOf, formatMiles, formatSpeed } from '../http/format.ts';

export const sourceTexts: Record<Reply<typeof getTravelEstimate>['source'], string> = {
  estimate: 'Estimated: no road engine is set. Straight lines are lengthened and driven at these speeds.',
  valhalla: 'Measured along roads by Valhalla. Estimated by these figures where its map ends or it does not answer.',
  osrm: 'Measured along roads by OSRM. Estimated by these figures only where it does not answer.',
  mixed: 'Measured along roads in part; the rest is estimated by these figures.',
};

export const outcomeTexts: Record<
  Reply<typeof learnTravelEstimate>['outcome'],
  { title: string; description: string }
> = {
  learned: { title: 'Learned', description: 'New plans are timed by what completed routes taught.' },
  'no-better': {
    title: 'Figures Kept',
    description: 'What completed routes teach would be no better on legs not learned from.',
  },
  'too-few': { title: 'Not Enough Routes', description: 'At least 30 driven legs of the past 180 days are needed.' },
};

export const speedText = (kmh: number | undefined): string => (kmh === undefined ? '–' : formatSpeed(kmh));
const bound = (km: number): string => formatMiles(kmToMiles(km));
/** As far as each of the three speeds goes, of the straight line. */
export const bandNames = (): readonly [string, string, string] => [
  `First ${bound(3)}`,
  `${bound(3)} to ${bound(15)}`,
  `Beyond ${bound(15)}`,
];
export const errorText = (minutes: number): string => `${minutes.toFixed(1)} min`;
export const legsText = (legs: number): string => countOf(legs, 'leg');
