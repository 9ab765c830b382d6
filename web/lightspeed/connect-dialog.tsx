import { type FormEvent, useId, useState } from 'react';
import type { IntegrationSystemInfo } from '../../contract/integrations.ts';
import { ApiError, sentenceOf } from '../http/client.ts';
import { useSandboxHints } from '../integrations/sandbox-hints.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { useConnect, useFields, useRedirectUri } from './api.ts';

type Field = IntegrationSystemInfo['fields'][number];
type Values = Record<string, string | boolean>;

/** Asks for the application's ID and secret, then leaves for Lightspeed's own sign-in page. */
export function ConnectDialog({ onClose }: { onClose: () => void }) {
  const info = useFields();
  const hints = useSandboxHints('lightspeed');
  const id = useId();
  const connect = useConnect();
  return (
    <Dialog
      open
      onClose={onClose}
      title="Connect Lightspeed Retail"
      description="You sign in at Lightspeed next. Nothing is stored before you allow it there."
      footer={
        <>
          <Button onClick={onClose} className="max-lg:min-h-12">
            Cancel
          </Button>
          <Button
            type="submit"
            form={id}
            variant="primary"
            pending={connect.isPending || connect.isSuccess}
            pendingLabel="Going to Lightspeed..."
            className="max-lg:min-h-12"
          >
            Connect
          </Button>
        </>
      }
    >
      {info.error && !info.data && <FailedView error={info.error} retry={() => void info.refetch()} />}
      {(!info.data || hints === undefined) && !info.error && <SkeletonRows rows={4} />}
      {info.data && hints !== undefined && (
        <ConnectForm id={id} fields={info.data.fields} hints={hints} connect={connect} />
      )}
      {info.data && <p className="pt-4 text-12 text-text-3">{info.data.basis}</p>}
    </Dialog>
  );
}

type FormProps = {
  id: string;
  fields: readonly Field[];
  /** In a demo the form is filled with what the sandbox accepts. */
  hints: Readonly<Record<string, string>> | null;
  connect: ReturnType<typeof useConnect>;
};

function ConnectForm({ id, fields, hints, connect }: FormProps) {
  const [name, setName] = useState(hints ? 'Sandbox store' : '');
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(fields.map((field) => [field.name, hints?.[field.name] ?? field.initial ?? ''])),
  );
  const [isTried, setTried] = useState(false);
  // Lightspeed tells which store it is; asking before could only be wrong.
  const asked = fields.filter((field) => field.name !== 'domainPrefix');
  const refused = connect.error instanceof ApiError ? connect.error.fields : {};
  const errorOf = (field: Field): string | undefined =>
    refused[`settings.${field.name}`] ?? (isTried && values[field.name] === '' ? field.required : undefined);
  const isIncomplete = name.trim() === '' || fields.some((field) => field.required && values[field.name] === '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isIncomplete || connect.isPending) return;
    connect.mutate({ name, settings: values });
  };
  const set = (field: Field, value: string | boolean): void => setValues((now) => ({ ...now, [field.name]: value }));
  return (
    <form id={id} noValidate onSubmit={submit} className="grid gap-4 pt-2">
      {hints && (
        <p className="rounded border border-line bg-accent-soft p-3">
          This demo has a stand-in for Lightspeed. The form is filled with what it accepts: press Connect.
        </p>
      )}
      <TextField
        label="Name"
        required
        value={name}
        onChange={setName}
        error={isTried && name.trim() === '' ? 'Name is required' : refused.name}
        hint="How this store is called here"
      />
      {asked.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          error={errorOf(field)}
          onChange={(value) => set(field, value)}
        />
      ))}
      <RedirectUri />
      {connect.error && (
        <p role="alert" className="text-bad-text">
          {sentenceOf(connect.error)}
        </p>
      )}
    </form>
  );
}

type OneFieldProps = {
  field: Field;
  value: string | boolean;
  error: string | undefined;
  onChange: (value: string | boolean) => void;
};

function OneField({ field, value, error, onChange }: OneFieldProps) {
  if (field.kind === 'switch') {
    return (
      <label className="flex min-h-8 items-start gap-3 max-lg:min-h-12">
        <input
          type="checkbox"
          className="mt-1 size-4 flex-none accent-accent"
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>
          {field.label}
          <span className="block text-12 text-text-3">{field.help}</span>
        </span>
      </label>
    );
  }
  return (
    <TextField
      label={field.label}
      type={field.kind === 'secret' ? 'password' : 'text'}
      autoComplete="off"
      required={field.required !== undefined}
      value={String(value)}
      onChange={onChange}
      error={error}
      hint={field.help}
    />
  );
}

/** Lightspeed only sends people back to addresses that were entered for the application there. */
function RedirectUri() {
  const { data } = useRedirectUri();
  if (!data) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(data.redirectUri);
    toast({ title: 'Copied' });
  };
  return (
    <div className="grid gap-1">
      <p className="font-medium text-12 text-text-2">Redirect URL for your application at Lightspeed</p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 break-all rounded border border-line bg-hover px-2 py-1 text-12">
          {data.redirectUri}
        </code>
        <Button onClick={() => void copy()} className="max-lg:min-h-12">
          Copy
        </Button>
      </div>
    </div>
  );
}
