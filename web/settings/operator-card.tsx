import { useId } from 'react';
import type { OperatorSettings } from '../../contract/settings.ts';
import { operatorInput } from '../../domain/fleet.ts';
import { timeZoneOptions } from '../http/time-zones.ts';
import { Card } from '../ui/card.tsx';
import { useForm } from '../ui/forms/form.ts';
import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useOvertaken } from '../ui/forms/use-overtaken.ts';
import { useSaveOperator } from './api.ts';
import { FormEnd } from './form-end.tsx';

const labels = { name: 'Company name', timeZone: 'Time zone', currency: 'Currency', distanceUnit: 'Distances' };
const currencies = ['USD', 'CAD', 'EUR', 'GBP', 'AUD', 'CHF', 'MXN'];

type Props = { operator: OperatorSettings; mayChange: boolean };

/** Name, time zone, currency and units of the company. */
export function OperatorCard({ operator, mayChange }: Props) {
  const id = useId();
  const save = useSaveOperator(operator);
  const { name, timeZone, currency, distanceUnit } = operator;
  const stored = { name, timeZone, currency, distanceUnit: distanceUnit as string };
  const form = useForm({
    schema: operatorInput,
    initial: stored,
    isLive: true,
    onSubmit: (input) => save.mutateAsync(input),
  });
  const overtaken = useOvertaken(stored, form, labels);
  const countsAnew = form.values.timeZone !== timeZone || form.values.currency !== currency;
  return (
    <Card title="Company">
      <form id={id} noValidate onSubmit={form.submit} className="grid max-w-2xl grid-cols-2 items-start gap-4 p-4">
        <TextField className="col-span-2" label="Company name" required disabled={!mayChange} {...form.field('name')} />
        <Select
          label="Time zone"
          className="max-sm:col-span-2"
          disabled={!mayChange}
          value={form.values.timeZone}
          error={form.errorOf('timeZone')}
          onChange={(value) => form.set('timeZone', value)}
          options={timeZoneOptions(timeZone)}
        />
        <Select
          label="Currency"
          disabled={!mayChange}
          value={form.values.currency}
          error={form.errorOf('currency')}
          onChange={(value) => form.set('currency', value)}
          options={[...new Set([currency, ...currencies])].map((value) => ({ value, label: value }))}
        />
        <Select
          label="Distances"
          disabled={!mayChange}
          value={form.values.distanceUnit}
          onChange={(value) => form.set('distanceUnit', value)}
          options={[
            { value: 'mi', label: 'Miles' },
            { value: 'km', label: 'Kilometres' },
          ]}
        />
        {countsAnew && (
          <p className="col-span-2 text-text-2">
            Daily sums are made anew for another time zone or currency. Amounts are not converted.
          </p>
        )}
        <FormEnd form={form} overtaken={overtaken} mayChange={mayChange} saveLabel="Save Settings" />
      </form>
    </Card>
  );
}
