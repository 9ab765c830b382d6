import { type FormEvent, useId, useMemo } from 'react';
import type { Incident } from '../../contract/incidents.ts';
import { incidentRadius, incidentSeverity, incidentType } from '../../domain/incident.ts';
import { type IncidentTyped, typedIncident } from '../../domain/incident-form.ts';
import { incidentTypeLabel, localTime, radiusText, severityLabel } from '../../domain/incident-words.ts';
import { useSession } from '../auth/api.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useForm } from '../ui/forms/form.ts';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { MomentField } from '../ui/forms/moment-field.tsx';
import { Select } from '../ui/forms/select.tsx';
import { TextArea, TextField } from '../ui/forms/text-field.tsx';
import { useSaveIncident } from './api.ts';
import { IncidentPlace } from './incident-place.tsx';

const severities = incidentSeverity.options.map((value) => ({ value, label: severityLabel[value] }));
const types = incidentType.options.map((value) => ({ value, label: incidentTypeLabel[value] }));

type Operator = ReturnType<typeof useSession>['operator'];

function typedOf(incident: Incident | null, { distanceUnit, timeZone }: Operator): IncidentTyped {
  return {
    title: incident?.title ?? '',
    description: incident?.description ?? '',
    latitude: incident?.latitude ?? '',
    longitude: incident?.longitude ?? '',
    severity: incident?.severity ?? 'medium',
    type: incident?.type ?? 'accident',
    radius: incident ? radiusText(incident.radius, distanceUnit) : String(incidentRadius.usual),
    estimatedDuration: String(incident?.estimatedDuration ?? ''),
    reportedAt: incident ? localTime(incident.reportedAt, timeZone) : '',
    roadClosed: incident?.roadClosed ?? false,
  };
}

type Props = { incident: Incident | null; onClose: () => void };

/** Reports an incident, or changes the one given. Mount it to open it. */
export function IncidentForm({ incident, onClose }: Props) {
  const id = useId();
  const { operator } = useSession();
  const save = useSaveIncident(incident);
  const schema = useMemo(() => typedIncident(operator, incident?.radius), [operator, incident]);
  const form = useForm({
    schema,
    initial: typedOf(incident, operator),
    onSubmit: async (input) => {
      await save.mutateAsync(input);
      onClose();
    },
  });
  function submit(event: FormEvent<HTMLFormElement>): void {
    const { currentTarget } = event;
    void form.submit(event);
    // The form is longer than the dialog: what is wrong may be out of sight.
    requestAnimationFrame(() => currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }

  const { field } = form;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={incident ? `Edit ${incident.title}` : 'Report an incident'}
      footer={
        <FormButtons form={id} submitLabel={incident ? 'Save' : 'Report'} pending={form.pending} onCancel={onClose} />
      }
    >
      <form id={id} noValidate onSubmit={submit} className="grid grid-cols-2 items-start gap-4 pt-2">
        <TextField label="Title" required autoComplete="off" className="col-span-2" {...field('title')} />
        <Select label="Type" options={types} {...field('type')} />
        <Select label="Severity" options={severities} {...field('severity')} />
        <IncidentPlace
          latitude={field('latitude')}
          longitude={field('longitude')}
          incident={form.values}
          onPosition={({ lat, lng }) => {
            form.set('latitude', lat);
            form.set('longitude', lng);
          }}
        />
        <TextField
          label="Radius"
          unit={operator.distanceUnit}
          required
          inputMode="decimal"
          autoComplete="off"
          {...field('radius')}
        />
        <TextField
          label="Expected to last"
          unit="min"
          inputMode="numeric"
          autoComplete="off"
          hint="Empty: until resolved, that day only"
          {...field('estimatedDuration')}
        />
        <MomentField
          label="Begins"
          usualTime="00:00"
          empty={incident ? 'No day chosen' : 'Now'}
          className="max-sm:col-span-2"
          {...field('reportedAt')}
        />
        <ClosedBox
          type={form.values.type}
          checked={form.values.roadClosed}
          onChange={(checked) => form.set('roadClosed', checked)}
        />
        <TextArea label="Description" className="col-span-2" {...field('description')} />
        {form.failure && (
          <p role="alert" className="col-span-2 text-bad-text">
            {form.failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}

type BoxProps = { type: string; checked: boolean; onChange: (checked: boolean) => void };

/** A closure lets nobody pass by itself; of any other type it is said here. */
function ClosedBox({ type, checked, onChange }: BoxProps) {
  const isClosure = type === 'closure';
  return (
    <label className="flex min-h-8 items-center gap-2 self-center max-sm:col-span-2 max-lg:min-h-12">
      <input
        type="checkbox"
        checked={checked || isClosure}
        disabled={isClosure}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 flex-none accent-accent max-lg:size-5"
      />
      Nobody can pass: routes go round
    </label>
  );
}
