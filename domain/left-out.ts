import { durationText } from './units.ts';

/** Why a plan leaves a stop out, in the solver's words. */
export type LeftOutReason = 'capacity' | 'window' | 'shift' | 'unreachable' | 'skill' | 'not_worth_it';

/** What the sentences tell about the stop: when it can be entered. */
type Doors = { accessHours: string | null };

/** And what it needs. */
export type LeftOutStop = Doors & { totes: number };

/** A location that no door opens for on the day. */
export const closedSentence = ({ accessHours }: Doors): string => `Closed on this day (${accessHours}).`;

/** A location whose doors have closed before now. */
export const alreadyClosedSentence = ({ accessHours }: Doors): string => `Already closed for the day (${accessHours}).`;

/** A location whose doors are still to close, but before the driver leaves. */
export const closesEarlySentence = ({ accessHours }: Doors): string =>
  `Closes before the driver can leave (${accessHours}).`;

/** Minutes of driving, there and back, beyond which no day has room for a stop. */
export const mostWayMin = 24 * 60;

/** A location beyond `mostWayMin`; minutes of driving there and back. */
export const tooFarSentence = (wayMin: number): string =>
  `The way there and back alone takes ${durationText(wayMin)}: more than a day.`;

/** A location that not even a shift for it alone has room for; minutes of driving there and back. */
export const beyondShiftSentence = (wayMin: number): string =>
  `The way there and back alone takes ${durationText(wayMin)}: longer than any shift.`;

/** Why nobody serves a stop, as a sentence; `capacities` are the totes that the vehicles of the plan hold, null: not known. */
export function leftOutSentence(
  reason: LeftOutReason,
  stop: LeftOutStop,
  capacities: readonly (number | null)[],
): string {
  const totes = stop.totes === 1 ? '1 tote' : `${stop.totes} totes`;
  switch (reason) {
    case 'capacity':
      return capacities.every((capacity) => capacity !== null && capacity < stop.totes)
        ? `Needs ${totes}: more than any vehicle holds.`
        : `No vehicle has room left for its ${totes}.`;
    case 'window':
      return `Nobody can be there while it is open (${stop.accessHours}).`;
    case 'shift':
      return 'No driver has time left for it in the shift.';
    case 'unreachable':
      return 'There is no way there from any depot.';
    case 'skill':
      return 'No driver may serve it.';
    case 'not_worth_it':
      return 'The way there costs more than the visit is worth.';
  }
}
