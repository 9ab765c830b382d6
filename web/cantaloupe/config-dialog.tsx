import { type FormEvent, useState } from 'react';
import type { CantaloupeConfig } from '../../contract/cantaloupe.ts';
import { useSandboxHints } from '../integrations/sandbox-hints.ts';
import { SandboxOffer } from '../integrations/sandbox-offer.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type ConfigFields, useCreateConfig, useUpdateConfig } from './api.ts';

type Errors = Partial<Record<keyof ConfigFields, string>>;

function startOf(config: CantaloupeConfig | null): ConfigFields {
  return {
    name: config?.name ?? '',
    apiKey: '',
    apiSecret: '',
    environment: config?.environment ?? 'sandbox',
    webhookUrl: config?.webhookUrl ?? '',
    apiEndpoint: config?.apiEndpoint ?? '',
    timeZone: config?.timeZone ?? '',
  };
}

function errorsOf(fields: ConfigFields, isNew: boolean): Errors {
  const isAddress = (text: string): boolean => text.trim() === '' || /^https?:\/\/\S+$/.test(text.trim());
  return {
    ...(fields.name.trim() ? {} : { name: 'Name is required' }),
    ...(fields.apiKey.trim() || !isNew ? {} : { apiKey: 'Sign-in is required' }),
    ...(fields.apiSecret || !isNew ? {} : { apiSecret: 'Password is required' }),
    ...(isAddress(fields.webhookUrl) ? {} : { webhookUrl: 'Write a whole address: https://…' }),
    ...(isAddress(fields.apiEndpoint) ? {} : { apiEndpoint: 'Write a whole address: https://…' }),
  };
}

type Props = { config: CantaloupeConfig | null; onClose: () => void; onSaved: (id: number) => void };

/** Creates a configuration, or changes one; what is stored of its sign-in is never shown again. */
export function ConfigDialog({ config, onClose, onSaved }: Props) {
  const [fields, setFields] = useState(() => startOf(config));
  const [errors, setErrors] = useState<Errors>({});
  const create = useCreateConfig();
  const update = useUpdateConfig();
  const hints = useSandboxHints('cantaloupe');
  const set = (values: Partial<ConfigFields>): void => setFields({ ...fields, ...values });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = errorsOf(fields, config === null);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    const done = ({ id }: { id: number }): void => {
      onSaved(id);
      onClose();
    };
    if (config) update.mutate({ id: config.id, version: config.version, fields }, { onSuccess: done });
    else create.mutate(fields, { onSuccess: done });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={config ? 'Edit Configuration' : 'New Configuration'}
      description="Sign-in and password are those of the HTTP POST transport in Cantaloupe’s Report Register."
      footer={
        <>
          <Button onClick={onClose} className="max-lg:min-h-12">
            Cancel
          </Button>
          <Button
            type="submit"
            form="cantaloupe-config"
            variant="primary"
            pending={create.isPending || update.isPending}
            pendingLabel="Saving…"
            className="max-lg:min-h-12"
          >
            {config ? 'Save' : 'Create Configuration'}
          </Button>
        </>
      }
    >
      <form id="cantaloupe-config" noValidate onSubmit={save} className="grid gap-4 pt-2">
        {hints && !config && (
          <SandboxOffer
            label="Cantaloupe"
            onFill={() => {
              set({ name: fields.name || 'Cantaloupe sandbox', ...hints, environment: 'sandbox' });
              setErrors({});
            }}
          />
        )}
        <TextField
          label="Name"
          value={fields.name}
          error={errors.name}
          maxLength={255}
          onChange={(name) => set({ name })}
        />
        <TextField
          label="Sign-in (API key)"
          value={fields.apiKey}
          error={errors.apiKey}
          autoComplete="off"
          hint={config?.hasKey ? 'Set. Leave empty to keep it.' : undefined}
          onChange={(apiKey) => set({ apiKey })}
        />
        <TextField
          label="Password (API secret)"
          type="password"
          value={fields.apiSecret}
          error={errors.apiSecret}
          autoComplete="new-password"
          hint={config?.hasSecret ? 'Set. Leave empty to keep it.' : undefined}
          onChange={(apiSecret) => set({ apiSecret })}
        />
        <Select
          label="Environment"
          value={fields.environment}
          options={[
            { value: 'sandbox', label: 'Sandbox' },
            { value: 'production', label: 'Production' },
          ]}
          onChange={(environment) => set({ environment: environment === 'production' ? 'production' : 'sandbox' })}
        />
        <TextField
          label="Webhook URL"
          type="url"
          value={fields.webhookUrl}
          error={errors.webhookUrl}
          hint="Optional: where the transport posts to, if it is not the address shown after saving"
          onChange={(webhookUrl) => set({ webhookUrl })}
        />
        {fields.environment === 'production' && (
          <TextField
            label="Pull address"
            type="url"
            value={fields.apiEndpoint}
            error={errors.apiEndpoint}
            hint="Only with a partner contract: the vendor publishes none"
            onChange={(apiEndpoint) => set({ apiEndpoint })}
          />
        )}
        <TextField
          label="Time zone of the devices"
          value={fields.timeZone}
          hint="Reports carry local times. Empty: your own, e.g. America/Chicago for others"
          maxLength={50}
          onChange={(timeZone) => set({ timeZone })}
        />
      </form>
    </Dialog>
  );
}
