import { useMemo, useState } from 'react';
import type { DayPlan } from '../../contract/day-plans.ts';
import { addDays } from '../../domain/time.ts';
import { sentenceOf } from '../http/client.ts';
import { countOf } from '../http/format.ts';
import { useDriversOfDay, useRouteChoices } from '../route-planning/api.ts';
import { exceptPlaces } from '../route-planning/chosen-places.ts';
import { goneText } from '../route-planning/gone-places.ts';
import { toCandidate } from '../route-planning/places/locations.ts';
import { ButtonLink } from '../ui/address/button-link.tsx';
import { dayOf } from '../ui/address/day-of.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { StateShape } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedLine, FailedView, StateView } from '../ui/state-view.tsx';
import { useToday } from '../ui/use-today.ts';
import { useCreateDayPlan } from './api.ts';
import { CrewList } from './crew-list.tsx';
import { type CrewDraft, crewDrafts, crewsFromText, crewsToText, minutesOf, refusalOf, takenText } from './crews.ts';
import { designationsOf, type PlannedPlace, plannedOf, timeLimitMs, wishOfChoice } from './places.ts';
import { useChoice } from './use-choice.ts';
import { useKnownBefore } from './use-known-before.ts';
import { WhereCard } from './where-card.tsx';

const none: readonly never[] = [];

/** What to plan: the day, which locations, and who drives. Sensible from the start: one tap is enough on most days. */
export function PlanSetup({ onCreated }: { onCreated: (plan: DayPlan) => void }) {
  const today = useToday();
  const made = useChoice();
  const { asked, counts, choice, count } = made;
  const choices = useRouteChoices(true);
  const { get, set } = useAddress();
  const date = dayOf(get('date')) ?? addDays(today, 1);
  const said = get('drivers');
  const { taken, failed: takenFailed, refetch: askTaken } = useDriversOfDay(date);
  const [changed, setChanged] = useState<CrewDraft[] | null>(null);
  const create = useCreateDayPlan();
  const [gone, setGone] = useState<readonly PlannedPlace[]>(none);
  const planned = useMemo(() => designationsOf(counts, choice), [counts, choice]);
  const crews = useMemo(() => {
    if (changed || !choices.data) return changed ?? none;
    const drafts = crewDrafts(choices.data, planned);
    return crewsFromText(said, drafts, choices.data) ?? drafts;
  }, [changed, choices.data, planned, said]);
  const known = useKnownBefore({ made, date, crews, choices: choices.data });

  if (asked.error && !asked.data)
    return (
      <FailedView error={asked.error} retry={() => void asked.refetch()} title="The locations to plan did not load" />
    );
  if (choices.error && !choices.data)
    return (
      <FailedView error={choices.error} retry={() => void choices.refetch()} title="The routes to plan did not load" />
    );
  if (!asked.data || !choices.data) return <SkeletonRows rows={5} className="h-15" />;
  if (asked.data.length === 0) return <Nothing />;
  const refusal = refusalOf(crews, count);
  const drivers = crews.filter((crew) => crew.isIn);
  const second = takenText(drivers, taken);

  function changeCrews(next: CrewDraft[]): void {
    // What is typed half, as a time of which there is only the hour, the address cannot keep.
    setChanged(next);
    set({ drivers: crewsToText(next) });
  }

  function plan(): void {
    create.mutate(
      {
        wish: wishOfChoice(counts, choice),
        bodyOf: (found) => {
          const places = plannedOf(found.map(toCandidate), choice);
          return {
            date,
            marketIds: places.flatMap((place) => (place.type === 'market' ? [place.id] : [])),
            vendingMachineIds: places.flatMap((place) => (place.type === 'vending_machine' ? [place.id] : [])),
            crews: drivers.map(({ driverId, vehicleId, start, end }) => ({
              driverId,
              vehicleId,
              startMin: minutesOf(start) ?? 0,
              endMin: minutesOf(end) ?? 0,
            })),
            timeLimitMs: timeLimitMs(places.length),
          };
        },
      },
      {
        onSuccess: (created) => {
          exceptPlaces.forget();
          onCreated(created);
        },
        onError: (error) => setGone(made.takeOutGone(error)),
      },
    );
  }

  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <WhereCard made={made} date={date} onDate={(day) => set({ date: day })} />
      <Card title="Who" count={drivers.length}>
        {crews.length === 0 ? (
          <StateView icon="person" title="No drivers" text="Add people with the role Field Operator first." />
        ) : (
          <CrewList crews={crews} choices={choices.data} taken={taken} onChange={changeCrews} />
        )}
        {takenFailed && (
          <div className="border-line border-t p-4">
            <FailedLine
              error={takenFailed}
              retry={() => void askTaken()}
              title="Who has a route on this day already did not load"
            />
          </div>
        )}
      </Card>
      {/* Always there: a screen reader tells what comes into it. */}
      <div role="status" className="empty:hidden lg:col-span-2">
        {known.length > 0 && (
          <ul
            aria-label="Known before planning"
            className="rounded border border-line bg-ground px-4 py-2 text-warn-text"
          >
            {known.map((sentence) => (
              <li key={sentence} className="flex items-baseline gap-2 py-1">
                <StateShape tone="warn" />
                {sentence}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-4 lg:col-span-2">
        <Button
          variant="primary"
          icon="route"
          className="max-lg:h-12 max-sm:w-full"
          disabled={refusal !== null}
          pending={create.isPending}
          pendingLabel="Planning..."
          onClick={plan}
        >
          Plan {countOf(count, 'stop')} for {countOf(drivers.length, 'driver')}
        </Button>
        <p
          role={create.isError ? 'alert' : undefined}
          className={`empty:hidden max-sm:order-first ${create.isError ? 'text-bad-text' : 'text-text-2'}`}
        >
          {create.isError ? failureText(create.error, gone) : (refusal ?? second)}
        </p>
      </div>
    </div>
  );
}

const failureText = (error: unknown, gone: readonly PlannedPlace[]): string =>
  gone.length > 0 ? `${goneText(gone)} Plan again.` : sentenceOf(error);

function Nothing() {
  return (
    <Card>
      <StateView
        icon="market"
        title="No locations yet"
        text="Add markets and vending machines first; then their visits can be planned."
        action={
          <span className="flex flex-wrap justify-center gap-2">
            <ButtonLink href="/markets">Open Markets</ButtonLink>
            <ButtonLink href="/vending-machines">Open Vending Machines</ButtonLink>
          </span>
        }
      />
    </Card>
  );
}
