import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { OptimizeResult, ScheduledRoute } from '../../../contract/routes.ts';
import { nameOfRoute } from '../../../domain/route-name.ts';
import { ApiError, sentenceOf } from '../../http/client.ts';
import { countOf, formatDay } from '../../http/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DayField } from '../../ui/forms/day-field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import { useCreateRoute } from '../api.ts';
import { type Candidate, sharedDesignation } from '../places/locations.ts';
import type { PlanTerms } from '../plan/plan.ts';
import type { Choices } from '../plan/plan-terms.tsx';

type Props = {
  chosen: readonly Candidate[];
  plan: OptimizeResult | null;
  terms: PlanTerms;
  choices: Choices | undefined;
  /** Said in place of what there is to choose from when that did not load. */
  failed: ReactNode;
  onClose: () => void;
  onCreated: (route: ScheduledRoute) => void;
  onFailed: (error: unknown) => void;
};

type Means = { driverId: string; vehicleId: string; depotId: string };
type Draft = { name: string; isNamed: boolean; date: string } & Partial<Means>;

/** Gives a selection a name, a day, a driver and a vehicle, and saves it as a route. */
export function CreateRouteDialog({ chosen, plan, terms, choices, failed, onClose, onCreated, onFailed }: Props) {
  const create = useCreateRoute();
  const formId = useId();
  const designation = sharedDesignation(chosen);
  const [draft, setDraft] = useState<Draft>(() => ({
    name: nameOf(designation, terms.date),
    isNamed: false,
    date: terms.date,
  }));
  const [asked, setAsked] = useState(false);
  const { driverId, vehicleId, depotId } = { ...usualMeans(terms, designation, choices), ...draft };
  const stops = stopsOf(chosen, plan);
  const fields = create.error instanceof ApiError ? create.error.fields : undefined;
  const nameError = asked && draft.name.trim() === '' ? 'Name is required' : fields?.name;
  const dateError = asked && draft.date === '' ? 'Date is required' : fields?.date;
  const leftOut = plan?.unassigned.length ?? 0;
  const isAwaited = !choices && !failed;

  function save(event: FormEvent): void {
    event.preventDefault();
    setAsked(true);
    if (draft.name.trim() === '' || draft.date === '' || create.isPending) return;
    create.mutate(
      {
        name: draft.name.trim(),
        date: draft.date,
        routeDesignation: designation,
        driverId: idOf(driverId),
        vehicleId: idOf(vehicleId),
        depotId: idOf(depotId),
        optimized: plan !== null,
        stops,
      },
      { onSuccess: onCreated, onError: onFailed },
    );
  }

  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  // A name that nobody typed says the day that was chosen last.
  const setDate = (date: string) =>
    set({ date, ...(draft.isNamed || date === '' ? {} : { name: nameOf(designation, date) }) });
  return (
    <Dialog
      open
      title="Create New Route"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            form={formId}
            disabled={isAwaited}
            pending={create.isPending}
            pendingLabel="Creating..."
          >
            {draft.date === '' ? 'Create route' : `Create route for ${formatDay(draft.date)}`}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={save} className="grid gap-4" noValidate>
        <p className="text-text-2">
          {countOf(stops.length, 'stop')}
          {stops.length > 1 && (plan ? ', in the optimized order' : ', in the order they were selected')}
          {leftOut > 0 && `; ${leftOut} unassigned left out`}
        </p>
        <TextField
          label="Name"
          value={draft.name}
          onChange={(name) => set({ name, isNamed: true })}
          error={nameError}
          maxLength={255}
        />
        <DayField label="Date" empty="No day chosen" value={draft.date} onChange={setDate} error={dateError} />
        {failed ? (
          <div className="grid gap-2">
            {failed}
            <p className="text-12 text-text-2">A route that is created now has no driver, no vehicle and no depot.</p>
          </div>
        ) : (
          <>
            <Select
              label="Driver"
              disabled={isAwaited}
              value={driverId}
              onChange={(driverId) => set({ driverId })}
              options={driverOptions(choices)}
            />
            <Select
              label="Vehicle"
              disabled={isAwaited}
              value={vehicleId}
              onChange={(vehicleId) => set({ vehicleId })}
              options={named(choices?.vehicles, 'No vehicle yet')}
            />
            <Select
              label="Depot"
              disabled={isAwaited}
              value={depotId}
              onChange={(depotId) => set({ depotId })}
              options={named(choices?.depots, 'No depot')}
            />
          </>
        )}
        {create.error && !nameError && !dateError && (
          <p role="alert" className="text-bad-text">
            {sentenceOf(create.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** What a route is driven with until the person says otherwise. */
function usualMeans(terms: PlanTerms, designation: string | null, choices: Choices | undefined): Means {
  const driver = choices?.drivers.find((person) => designation !== null && person.routeDesignation === designation);
  return {
    driverId: String(driver?.id ?? ''),
    vehicleId: String(terms.vehicleId ?? ''),
    depotId: String(terms.depotId ?? ''),
  };
}

const nameOf = (designation: string | null, date: string): string =>
  nameOfRoute(designation === null ? null : `Route ${designation}`, date);

/** Planned stops in their order; without a plan the selection in the order it was made. */
function stopsOf(chosen: readonly Candidate[], plan: OptimizeResult | null) {
  return (plan?.optimizedOrder ?? chosen).map(({ type, id }) => ({ type, id }));
}

function idOf(text: string): number | null {
  return text === '' ? null : Number(text);
}

function driverOptions(choices: Choices | undefined) {
  return named(
    choices?.drivers.map(({ id, name, routeDesignation }) => ({
      id,
      name: routeDesignation === null ? name : `${name}, route ${routeDesignation}`,
    })),
    'No driver yet',
  );
}

/** Nothing is offered, not even nothing, until it is known what there is. */
function named(rows: readonly { id: number; name: string }[] | undefined, nothing: string) {
  if (!rows) return [];
  return [{ value: '', label: nothing }, ...rows.map(({ id, name }) => ({ value: String(id), label: name }))];
}
