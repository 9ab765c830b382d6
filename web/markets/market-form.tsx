import { useMemo } from 'react';
import type { Market } from '../../contract/markets.ts';
import { type MarketUpdate, marketEdit, marketInput } from '../../domain/market.ts';
import { addressText } from '../../domain/place.ts';
import { useForm } from '../ui/forms/form.ts';
import { RecordDialog } from '../ui/forms/record-dialog.tsx';
import { Select } from '../ui/forms/select.tsx';
import { TextArea, TextField } from '../ui/forms/text-field.tsx';
import { useRebase } from '../ui/forms/use-rebase.ts';
import { loadMarket, useSaveMarket } from './api.ts';
import { DesignationField, statusesWith } from './location-fields.tsx';
import { PositionFields } from './position-fields.tsx';

const labels = {
  name: 'Name',
  address: 'Address',
  city: 'City',
  state: 'State',
  latitude: 'Latitude',
  longitude: 'Longitude',
  status: 'Status',
  routeDesignation: 'Route designation',
  accessHours: 'Access hours',
  accessNotes: 'Access notes',
  contactPhone: 'Contact phone',
  notes: 'Notes',
};
type Values = Record<keyof typeof labels, string>;

/** What is typed: text everywhere, an empty one where nothing is set. */
function valuesOf(market: Market | null): Values {
  return {
    name: market?.name ?? '',
    address: market?.address ?? '',
    city: market?.city ?? '',
    state: market?.state ?? '',
    latitude: market?.latitude ?? '',
    longitude: market?.longitude ?? '',
    status: market?.status ?? 'active',
    routeDesignation: market?.routeDesignation ?? '',
    accessHours: market?.accessHours ?? '',
    accessNotes: market?.accessNotes ?? '',
    contactPhone: market?.contactPhone ?? '',
    notes: market?.notes ?? '',
  };
}

type Props = { market: Market | null; onClose: () => void };

/** Adds a market, or changes the one given. Mount it to open it: each opening starts from the market, or its draft. */
export function MarketForm({ market, onClose }: Props) {
  const { base, conflict, rebase, take } = useRebase(market, {
    valuesOf,
    labels,
    loadNewest: (one) => loadMarket(one.id),
  });
  const save = useSaveMarket(base);
  const schema = useMemo(() => (base ? marketEdit(base.status) : marketInput), [base]);
  const form = useForm({
    schema,
    initial: valuesOf(market),
    // A draft of an older state of the market is not shown over a newer one.
    draftKey: market ? `market-${market.id}-${market.version}` : 'market-new',
    onSubmit: async (input) => {
      try {
        await save.mutateAsync(emptyToNull(input));
      } catch (error) {
        await rebase(error, form);
        throw error;
      }
      onClose();
    },
  });
  const { field } = form;

  return (
    <RecordDialog
      noun="Market"
      name={market?.name}
      form={form}
      conflict={conflict}
      onTake={(change) => take(change, form)}
      onClose={onClose}
    >
      <TextField label="Name" required autoComplete="off" className="col-span-2" {...field('name')} />
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
      <Select
        label="Status"
        options={statusesWith(form.values.status)}
        {...field('status')}
        className="max-sm:col-span-2"
      />
      <DesignationField className="max-sm:col-span-2" {...field('routeDesignation')} />
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
      <TextField
        label="Contact phone"
        inputMode="tel"
        autoComplete="off"
        className="col-span-2"
        {...field('contactPhone')}
      />
      <TextArea label="Notes" className="col-span-2" {...field('notes')} />
    </RecordDialog>
  );
}

function emptyToNull({
  city,
  state,
  accessHours,
  accessNotes,
  contactPhone,
  notes,
  ...input
}: MarketUpdate): MarketUpdate {
  const place = { city: city || null, state: state || null };
  const access = { accessHours: accessHours || null, accessNotes: accessNotes || null };
  return { ...input, ...place, ...access, contactPhone: contactPhone || null, notes: notes || null };
}
