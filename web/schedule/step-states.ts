import type { Stop } from '../../contract/routes.ts';
import { type ItemState, stateOf } from '../offline/day/overlay.ts';
import { progressOf } from '../offline/day/progress.ts';
import type { Entry } from '../offline/outbox/records.ts';

export type StepStates = { ofStop: ReadonlyMap<number, ItemState>; ofRoute: ReadonlyMap<number, ItemState> };

/** Where the last steps of each stop and route are, for the words beside them. */
export function stepStates(steps: readonly Entry[], sending: ReadonlySet<string>): StepStates {
  const stops = new Map<number, Entry[]>();
  const routes = new Map<number, Entry[]>();
  for (const entry of steps) {
    const event = progressOf(entry);
    if (!event) continue;
    const [map, id] = 'stopId' in event ? [stops, event.stopId] : [routes, event.routeId];
    map.set(id, [...(map.get(id) ?? []), entry]);
  }
  const words = (map: ReadonlyMap<number, Entry[]>) =>
    new Map([...map].map(([id, entries]) => [id, stateOf(entries, sending)] as const));
  return { ofStop: words(stops), ofRoute: words(routes) };
}

/** The steps said at one stop. */
export function stepsAt(steps: readonly Entry[], stop: Pick<Stop, 'id'>): Entry[] {
  return steps.filter((entry) => {
    const event = progressOf(entry);
    return event !== null && 'stopId' in event && event.stopId === stop.id;
  });
}

/** Steps that the server would not take, the newest first. */
export function refusedSteps(steps: readonly Entry[]): Entry[] {
  return steps.filter((entry) => entry.status === 'refused' || entry.status === 'needs_attention').toReversed();
}
