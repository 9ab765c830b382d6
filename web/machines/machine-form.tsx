import { useMemo } from 'react';
import { z } from 'zod';
import type { VendingMachine } from '../../contract/machines.ts';
import { nearDay } from '../../domain/calendar-day.ts';
import { machineEdit, machineInput } from '../../domain/machine.ts';
import { addressText } from '../../domain/place.ts';
import { dayIn, instantIn } from '../../domain/time.ts';
import { useSession } from '../auth/api.ts';
import { DesignationField, statusesWith } from '../markets/location-fields.tsx';
import { PositionFields } from '../markets/position-fields.tsx';
import { DayField } from '../ui/forms/day-field.tsx';
import { useForm } from '../ui/forms/form.ts';
import { RecordDialog } from '../ui/forms/record-dialog.tsx';
import { Select } from '../ui/forms/select.tsx';
import { TextArea, TextField } from '../ui/forms/text-field.tsx';
import { useRebase } from '../ui/forms/use-rebase.ts';
import { loadMachine, useSaveMachine } from './api.ts';

type Operator = { timeZone: string };

/** What is typed is text; the capacity becomes a number, and the day of the last maintenance an instant of it. */
const typedMachine = (machine: VendingMachine | null, { timeZone }: Operator) =>
  z.preprocess(
    (typed) => {
      const values = typed as Values;
      const known = machine?.lastMaintenance ?? null;
      return {
        ...values,
        capacity: Number(values.capacity),
        installDate: values.installDate || null,
        // The hour of a day that was not changed stays.
        lastMaintenance:
          values.lastMaintenance === dayOf(known, timeZone) ? known : noonOf(values.lastMaintenance, timeZone),
      };
    },
    machine ? machineEdit(machine.status) : machineInput,
  );

const dayOf = (at: string | null, timeZone: string): string => (at ? dayIn(timeZone, new Date(at)) : '');

/** What is no day stays as it was typed, for the rules to refuse. */
function noonOf(day: string, timeZone: string): string | null {
  if (day === '') return null;
  return nearDay.safeParse(day).success ? instantIn(timeZone, day, 12 * 60).toISOString() : day;
}

const labels = {
  name: 'Name',
  machineId: 'Machine ID',
  location: 'Location',
  address: 'Address',
  city: 'City',
  state: 'State',
  latitude: 'Latitude',
  longitude: 'Longitude',
  status: 'Status',
  capacity: 'Capacity',
  routeDesignation: 'Route designation',
  model: 'Model',
  serialNumber: 'Serial number',
  vendorId: 'Vendor ID',
  contactPhone: 'Contact phone',
  notes: 'Notes',
  accessHours: 'Access hours',
  accessNotes: 'Access notes',
  installDate: 'Installed',
  lastMaintenance: 'Last maintenance',
};
type Values = Record<keyof typeof labels, string>;

function valuesOf(machine: VendingMachine | null, { timeZone }: Operator): Values {
  return {
    name: machine?.name ?? '',
    machineId: machine?.machineId ?? '',
    location: machine?.location ?? '',
    address: machine?.address ?? '',
    city: machine?.city ?? '',
    state: machine?.state ?? '',
    latitude: machine?.latitude ?? '',
    longitude: machine?.longitude ?? '',
    status: machine?.status ?? 'active',
    capacity: String(machine?.capacity ?? 100),
    routeDesignation: machine?.routeDesignation ?? '',
    model: machine?.model ?? '',
    serialNumber: machine?.serialNumber ?? '',
    vendorId: machine?.vendorId ?? '',
    contactPhone: machine?.contactPhone ?? '',
    notes: machine?.notes ?? '',
    accessHours: machine?.accessHours ?? '',
    accessNotes: machine?.accessNotes ?? '',
    installDate: machine?.installDate ?? '',
    lastMaintenance: dayOf(machine?.lastMaintenance ?? null, timeZone),
  };
}

type Props = { machine: VendingMachine | null; onClose: () => void };

/** Adds a machine, or changes the one given. Mount it to open it: each opening starts from the machine, or its draft. */
export function MachineForm({ machine, onClose }: Props) {
  const { operator } = useSession();
  const { base, conflict, rebase, take } = useRebase(machine, {
    valuesOf: (one) => valuesOf(one, operator),
    labels,
    loadNewest: (one) => loadMachine(one.id),
  });
  const schema = useMemo(() => typedMachine(base, operator), [base, operator]);
  const save = useSaveMachine(base);
  const form = useForm({
    schema,
    initial: valuesOf(machine, operator),
    // A draft of an older state of the machine is not shown over a newer one.
    draftKey: machine ? `machine-${machine.id}-${machine.updatedAt}` : 'machine-new',
    onSubmit: async (input) => {
      try {
        await save.mutateAsync(input);
      } catch (error) {
        await rebase(error, form);
        throw error;
      }
      onClose();
    },
  });
  return (
    <RecordDialog
      noun="Vending Machine"
      name={machine?.name}
      form={form}
      conflict={conflict}
      onTake={(change) => take(change, form)}
      onClose={onClose}
    >
      <Fields form={form} />
    </RecordDialog>
  );
}

type Form = ReturnType<typeof useForm<Values, ReturnType<typeof typedMachine>>>;

function Fields({ form }: { form: Form }) {
  const { field } = form;
  return (
    <>
      <TextField label="Name" required autoComplete="off" className="col-span-2" {...field('name')} />
      <TextField label="Machine ID" required autoComplete="off" {...field('machineId')} />
      <TextField label="Location" required autoComplete="off" hint="As in Lobby, 2nd floor" {...field('location')} />
      <TextField label="Address" required autoComplete="off" className="col-span-2" {...field('address')} />
      <TextField label="City" autoComplete="off" {...field('city')} />
      <TextField label="State" autoComplete="off" {...field('state')} />
      <PositionFields
        latitude={field('latitude')}
        longitude={field('longitude')}
        name={form.values.name}
        address={addressText(form.values)}
        onPosition={({ lat, lng }) => {
          form.set('latitude', lat);
          form.set('longitude', lng);
        }}
      />
      <Select label="Status" options={statusesWith(form.values.status)} {...field('status')} />
      <TextField label="Capacity" unit="units" required inputMode="numeric" {...field('capacity')} />
      <DesignationField {...field('routeDesignation')} />
      <TextField label="Model" autoComplete="off" {...field('model')} />
      <TextField label="Serial number" autoComplete="off" {...field('serialNumber')} />
      <TextField label="Vendor ID" autoComplete="off" {...field('vendorId')} />
      <DayField label="Installed" empty="No day given" {...field('installDate')} />
      <DayField label="Last maintenance" empty="No day given" {...field('lastMaintenance')} />
      <TextField
        label="Contact phone"
        type="tel"
        autoComplete="off"
        className="col-span-2"
        {...field('contactPhone')}
      />
      <TextField
        label="Access hours"
        hint="As in Mo-Fr 08:00-17:00; Sa 09:00-12:00. Empty: any time"
        className="col-span-2"
        {...field('accessHours')}
      />
      <TextArea
        label="Access notes"
        hint="How to get in: door code, dock, whom to ask"
        className="col-span-2"
        {...field('accessNotes')}
      />
      <TextArea label="Notes" className="col-span-2" {...field('notes')} />
    </>
  );
}
