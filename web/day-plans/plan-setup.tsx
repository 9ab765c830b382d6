import { useMemo, useState } from 'react';
import type { DayPlan } from '../../contract/day-plans.ts';
import { addDays } from '../../domain/time.ts';
import { useSession } from '../auth/api.ts';
import { sentenceOf } from '../http/client.ts';
import { useMachines, useMarketStock, useMarkets, useRouteChoices } from '../route-planning/api.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useCreateDayPlan } from './api.ts';
import { CrewList } from './crew-list.tsx';
import { type CrewDraft, crewDrafts, minutesOf, refusalOf } from './crews.ts';
import { chosenOf, groupsOf, placesOf, timeLimitMs } from './places.ts';
import { countOf } from './wording.ts';

const none: readonly never[] = [];

/** What to plan: the day, which locations, and who drives. Sensible from the start: one tap is enough on most days. */
export function PlanSetup({ onCreated }: { onCreated: (plan: DayPlan) => void }) {
  const { operator } = useSession();
  const { places, failed, retry } = usePlaces();
  const choices = useRouteChoices(true);
  const [date, setDate] = useState(addDays(operator.today, 1));
  const [scope, setScope] = useState<'needing' | 'all'>('needing');
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const [changed, setChanged] = useState<CrewDraft[] | null>(null);
  const create = useCreateDayPlan();
  const groups = useMemo(() => groupsOf(places ?? none), [places]);
  const chosen = useMemo(() => chosenOf(places ?? none, off, scope === 'all'), [places, off, scope]);
  const planned = useMemo(() => new Set(chosen.map((place) => place.designation)), [chosen]);

  if (failed) return <FailedView error={failed} retry={retry} />;
  if (choices.isError) return <FailedView error={choices.error} retry={() => void choices.refetch()} />;
  if (!places || !choices.data) return <SkeletonRows rows={6} className="h-12" />;
  if (places.length === 0) return <Nothing />;
  const crews = changed ?? crewDrafts(choices.data, planned);
  const refusal = refusalOf(crews, chosen.length);
  const drivers = crews.filter((crew) => crew.isIn);

  function plan(): void {
    create.mutate(
      {
        date,
        marketIds: chosen.flatMap((place) => (place.type === 'market' ? [place.id] : [])),
        vendingMachineIds: chosen.flatMap((place) => (place.type === 'vending_machine' ? [place.id] : [])),
        crews: drivers.map(({ driverId, vehicleId, start, end }) => ({
          driverId,
          vehicleId,
          startMin: minutesOf(start) ?? 0,
          endMin: minutesOf(end) ?? 0,
        })),
        timeLimitMs: timeLimitMs(chosen.length),
      },
      { onSuccess: onCreated },
    );
  }

  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card
        title="Where"
        count={chosen.length}
        actions={
          <Segmented
            label="Which locations"
            options={[
              { value: 'needing', label: 'Need a visit' },
              { value: 'all', label: 'All' },
            ]}
            value={scope}
            onChange={setScope}
          />
        }
      >
        <div className="border-line border-b px-4 py-3">
          <TextField label="Plan for" type="date" value={date} onChange={(day) => day !== '' && setDate(day)} />
        </div>
        <ul className="divide-y divide-line">
          {groups.map(({ designation, all, needing }) => (
            <li key={designation}>
              <label className="flex min-h-12 items-center gap-3 px-4 py-2">
                <input
                  type="checkbox"
                  checked={!off.has(designation)}
                  onChange={() => setOff(toggled(off, designation))}
                  className="size-4 accent-accent max-lg:size-6"
                />
                <span className="flex-1 font-medium">{designation ? `Route ${designation}` : 'No route'}</span>
                <span className="text-text-2 tabular-nums">
                  {needing} of {all} {needing === 1 ? 'needs' : 'need'} a visit
                </span>
              </label>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Who" count={drivers.length}>
        {crews.length === 0 ? (
          <StateView icon="person" title="No drivers" text="Add people with the role Field Operator first." />
        ) : (
          <CrewList crews={crews} choices={choices.data} onChange={setChanged} />
        )}
      </Card>
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
          Plan {countOf(chosen.length, 'stop')} for {countOf(drivers.length, 'driver')}
        </Button>
        <p role={create.isError ? 'alert' : undefined} className={create.isError ? 'text-bad-text' : 'text-text-2'}>
          {create.isError ? sentenceOf(create.error) : refusal}
        </p>
      </div>
    </div>
  );
}

function usePlaces() {
  const markets = useMarkets('');
  const machines = useMachines('');
  const stock = useMarketStock();
  const places = useMemo(
    () => (markets.data && machines.data && stock.data ? placesOf(markets.data, stock.data, machines.data) : null),
    [markets.data, machines.data, stock.data],
  );
  const asked = [markets, machines, stock];
  return {
    places,
    failed: asked.find((one) => one.isError)?.error ?? null,
    retry: () => {
      for (const one of asked) if (one.isError) void one.refetch();
    },
  };
}

function toggled(set: ReadonlySet<string>, value: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

function Nothing() {
  return (
    <Card>
      <StateView
        icon="market"
        title="No locations yet"
        text="Add markets and vending machines first; then their visits can be planned."
      />
    </Card>
  );
}
