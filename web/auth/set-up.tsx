import { useState } from 'react';
import { z } from 'zod';
import { timeZoneOptions } from '../http/time-zones.ts';
import { Button } from '../ui/button.tsx';
import { useForm } from '../ui/forms/form.ts';
import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useSetUp } from './api.ts';

const filled = (max: number, sentence: string) => z.string().trim().min(1, sentence).max(max, 'This is too long');

/** The server checks the same once more; see `setUpFirstAdministrator` in the contract. */
const schema = z.object({
  setupCode: filled(100, 'Enter the set-up code shown on the console'),
  operatorName: filled(255, 'Company name is required'),
  firstName: filled(100, 'First name is required'),
  lastName: filled(100, 'Last name is required'),
  email: z.email('Enter an e-mail address such as name@company.com').max(255),
  timeZone: z.string(),
});

const fields = [
  {
    name: 'setupCode',
    label: 'Set-up code',
    hint: "Printed on the server's console at its start; a restart prints a new one",
  },
  { name: 'operatorName', label: 'Company name' },
  { name: 'firstName', label: 'First name' },
  { name: 'lastName', label: 'Last name' },
  { name: 'email', label: 'Your work email' },
] as const;

/** The first administrator of an empty installation. */
export function SetUp({ onDone }: { onDone: () => void }) {
  const setUp = useSetUp();
  const [here] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const form = useForm({
    schema,
    initial: { setupCode: '', operatorName: '', firstName: '', lastName: '', email: '', timeZone: here },
    onSubmit: async (input) => {
      await setUp.mutateAsync(input);
      onDone();
    },
  });
  return (
    <section className="grid gap-4 rounded border border-line bg-ground p-4">
      <h2>Set up Milkrun</h2>
      <p className="text-text-2">Nobody can sign in here yet. You become its first administrator.</p>
      <form onSubmit={(event) => void form.submit(event)} noValidate className="grid gap-3">
        {fields.map(({ name, label, ...more }) => (
          <TextField key={name} size="field" label={label} {...more} {...form.field(name)} />
        ))}
        <Select
          size="field"
          label="Time zone"
          value={form.values.timeZone}
          error={form.errorOf('timeZone')}
          onChange={(value) => form.set('timeZone', value)}
          options={timeZoneOptions(here)}
        />
        <p className="text-12 text-text-3">Days of sales and routes begin and end by it. The settings can change it.</p>
        {form.failure && (
          <p role="alert" className="text-bad-text">
            {form.failure}
          </p>
        )}
        <Button type="submit" variant="primary" size="thumb" pending={form.pending} pendingLabel="Setting up...">
          Create the first administrator
        </Button>
      </form>
    </section>
  );
}
