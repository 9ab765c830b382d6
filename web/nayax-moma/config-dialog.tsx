import { type FormEvent, useId, useState } from 'react';
import { ApiError, sentenceOf } from '../http/client.ts';
import { useSystems } from '../integrations/config-api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type LynxConfig, type LynxSystem, labelOf, type Typed, useSaveLynx } from './api.ts';

type Field = {
  key: 'first' | 'secret' | 'url';
  wire: string;
  label: string;
  required: string | null;
  isSecret: boolean;
};

/** The fields of each system that have no twin in the other, in the order of the form. */
const fieldsOf: Record<LynxSystem, readonly Field[]> = {
  nayax: [
    { key: 'first', wire: 'merchantId', label: 'Merchant ID', required: 'Merchant ID is required', isSecret: false },
    { key: 'secret', wire: 'hashCode', label: 'Hash code', required: 'Hash code is required', isSecret: true },
    { key: 'url', wire: 'apiEndpoint', label: 'API endpoint (optional)', required: null, isSecret: false },
  ],
  moma: [
    { key: 'first', wire: 'apiKey', label: 'API key', required: 'API key is required', isSecret: true },
    { key: 'secret', wire: 'apiSecret', label: 'API secret (optional)', required: null, isSecret: true },
    { key: 'url', wire: 'baseUrl', label: 'Base URL (optional)', required: null, isSecret: false },
  ],
};

const environments = [
  { value: 'sandbox', label: 'Sandbox' },
  { value: 'production', label: 'Production' },
];

type Props = { system: LynxSystem; config: LynxConfig | null; onClose: () => void };

/** Adds or changes a configuration. What is set of a secret is said and stays unless a new one is typed. */
export function ConfigDialog({ system, config, onClose }: Props) {
  const id = useId();
  const form = useConfigForm(system, config, onClose);
  const info = useSystems().data?.find((one) => one.system === system);
  const helpOf = (wire: string): string | undefined => info?.fields.find(({ name }) => name === wire)?.help;
  return (
    <Dialog
      open
      onClose={onClose}
      title={config ? `Edit ${config.name}` : `Add ${labelOf[system]} Configuration`}
      {...(info ? { description: info.basis } : {})}
      footer={
        <FormButtons
          form={id}
          submitLabel={config ? 'Save Configuration' : 'Add Configuration'}
          pending={form.pending}
          onCancel={onClose}
        />
      }
    >
      <form id={id} noValidate autoComplete="off" onSubmit={form.submit} className="grid gap-4 pt-2">
        <TextField label="Name" required {...form.control('name', 'name')} />
        {fieldsOf[system].map(({ key, wire, label, required, isSecret }) => {
          const set = isSecret ? secretOf(config, wire) : null;
          return (
            <TextField
              key={wire}
              label={label}
              required={required !== null && !set}
              type={isSecret ? 'password' : 'text'}
              autoComplete={isSecret ? 'new-password' : 'off'}
              spellCheck={false}
              inputMode={key === 'url' ? 'url' : undefined}
              placeholder={set ?? undefined}
              hint={set ? 'Leave empty to keep what is set. A new one replaces it.' : helpOf(wire)}
              {...form.control(key, wire)}
            />
          );
        })}
        <Select
          label="Environment"
          options={environments}
          value={form.typed.environment}
          error={form.errors.environment}
          onChange={(value) => form.set('environment', value === 'production' ? 'production' : 'sandbox')}
        />
        {(system === 'moma' || config) && (
          <label className="flex min-h-8 items-center gap-2 max-lg:min-h-12">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={form.typed.syncEnabled}
              onChange={({ target }) => form.set('syncEnabled', target.checked)}
            />
            Sync by itself, on a timetable
          </label>
        )}
        {form.failure && (
          <p role="alert" className="text-bad-text">
            {form.failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function secretOf(config: LynxConfig | null, wire: string): string | null {
  const secrets = config && 'merchantId' in config ? { hashCode: config.hashCode } : config;
  const secret = secrets ? (secrets as Record<string, unknown>)[wire] : null;
  if (typeof secret !== 'object' || secret === null || !('configured' in secret) || !secret.configured) return null;
  return 'ending' in secret && typeof secret.ending === 'string' ? `Set, ends in ${secret.ending}` : 'Set';
}

function useConfigForm(system: LynxSystem, config: LynxConfig | null, onClose: () => void) {
  const save = useSaveLynx(system, config);
  const [typed, setTyped] = useState<Typed>(() => startOf(config));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const set = <K extends keyof Typed>(key: K, value: Typed[K]): void =>
    setTyped((before) => ({ ...before, [key]: value }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (save.isPending) return;
    const problems = problemsOf(system, config, typed);
    setErrors(problems);
    setFailure(null);
    if (Object.keys(problems).length > 0) return;
    try {
      await save.mutateAsync({ ...typed, name: typed.name.trim() });
      onClose();
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      setErrors(fields);
      setFailure(Object.keys(fields).length > 0 ? null : sentenceOf(error));
    }
  };
  return {
    typed,
    errors,
    failure,
    set,
    submit,
    pending: save.isPending,
    /** What a text control is given; `wire` is the name under which the server tells what is wrong with it. */
    control: (key: 'name' | Field['key'], wire: string) => ({
      value: typed[key],
      error: errors[wire],
      onChange: (text: string): void => {
        set(key, text);
        setErrors(({ [wire]: _, ...rest }) => rest);
      },
      onBlur: (): void => {
        const told = problemsOf(system, config, typed)[wire];
        if (told) setErrors((before) => ({ ...before, [wire]: told }));
      },
    }),
  };
}

function startOf(config: LynxConfig | null): Typed {
  if (!config) return { name: '', environment: 'sandbox', syncEnabled: true, first: '', secret: '', url: '' };
  const { name, environment, syncEnabled } = config;
  const isNayax = 'merchantId' in config;
  const url = (isNayax ? config.apiEndpoint : config.baseUrl) ?? '';
  return { name, environment, syncEnabled, first: isNayax ? config.merchantId : '', secret: '', url };
}

/** The sentences of the form; the server checks once more, and knows which other addresses may be called. */
function problemsOf(system: LynxSystem, config: LynxConfig | null, typed: Typed): Record<string, string> {
  const problems: Record<string, string> = {};
  if (typed.name.trim() === '') problems.name = 'Name is required';
  for (const { key, wire, required, isSecret } of fieldsOf[system]) {
    const isMissing = typed[key].trim() === '' && !(isSecret && secretOf(config, wire));
    if (required && isMissing) problems[wire] = required;
    if (key === 'url' && typed.url.trim() !== '' && !/^https?:\/\/[^\s/]+/i.test(typed.url.trim())) {
      problems[wire] = 'Enter an address that starts with https://';
    }
  }
  return problems;
}
