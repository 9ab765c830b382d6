import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { IntegrationConfig, IntegrationSystemInfo } from '../../contract/integrations.ts';
import { checkSettings, configNameProblem } from '../../domain/integration-settings.ts';
import { ApiError, isRefused, isSignedOut, sentenceOf } from '../http/client.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useFirstField } from '../ui/forms/first-field.ts';
import { useFirstProblem } from '../ui/forms/form.ts';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { KeptDraft } from '../ui/forms/kept-draft.tsx';
import { Select } from '../ui/forms/select.tsx';
import { Message, TextField } from '../ui/forms/text-field.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useSaveConfig } from './config-api.ts';
import { useTyped, type Value, type Values } from './config-draft.ts';
import { useSandboxHints } from './sandbox-hints.ts';
import { SandboxOffer } from './sandbox-offer.tsx';

type Field = IntegrationSystemInfo['fields'][number];

export type FormInput = {
  name: string;
  settings: Record<string, Value>;
  isActive: boolean;
  syncEnabled: boolean;
};

/** What is done with what was typed where it is not saved here: the person goes on elsewhere. */
export type GoOn = {
  send: (input: FormInput) => Promise<unknown>;
  label: string;
  pendingLabel: string;
  description: string;
  /** Fields that the partner tells. */
  without: readonly string[];
  /** Stands below the fields. */
  more?: ReactNode;
};

type Props = {
  system: IntegrationSystemInfo;
  /** What is edited; null adds one. */
  config: IntegrationConfig | null;
  onClose: () => void;
  onSaved?: (config: IntegrationConfig) => void;
  /** Told of a refusal, beside the sentence in the form. */
  onFailed?: (error: unknown) => void;
  /** The title of the dialog, where the screen has words of its own. */
  title?: string;
  submitLabel?: string;
  goOn?: GoOn;
};

/** The form of any system's configuration, drawn from the fields that the system names. Mount it to open it. */
export function ConfigForm({ system, config: given, onClose, onSaved, onFailed, title, submitLabel, goOn }: Props) {
  const id = useId();
  const fields = useFirstField();
  const hints = useSandboxHints(system.system);
  const form = useConfigForm({ system, config: given, onClose, onSaved, onFailed, goOn });
  const { config } = form;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title ?? (config ? `Edit ${config.name}` : `Add ${system.label} Configuration`)}
      description={goOn?.description ?? system.basis}
      footer={
        <FormButtons
          form={id}
          submitLabel={goOn?.label ?? submitLabel ?? (config ? 'Save Configuration' : 'Add Configuration')}
          pendingLabel={goOn?.pendingLabel}
          pending={form.pending}
          onCancel={() => {
            form.discard();
            onClose();
          }}
        />
      }
    >
      <form
        ref={fields}
        id={id}
        noValidate
        onSubmit={form.submit}
        autoComplete="off"
        className="grid grid-cols-1 items-start gap-4 pt-2"
      >
        <KeptDraft form={form} />
        {hints && !config && (
          <SandboxOffer label={system.label} onFill={() => form.fill(`${system.label} sandbox`, hints)} />
        )}
        <TextField
          label="Name"
          required
          value={form.name}
          onChange={form.setName}
          error={form.errors.name}
          hint="How this connection is called here"
        />
        {asked(system.fields, goOn).map((field) => (
          <SettingControl
            key={field.name}
            field={field}
            value={form.values[field.name] ?? ''}
            error={form.errors[field.name]}
            secret={config?.secrets[field.name]}
            onChange={(value) => form.set(field.name, value)}
          />
        ))}
        {!goOn && <SyncSwitch value={form.syncEnabled} onChange={form.setSyncEnabled} />}
        {goOn?.more}
        {form.failure && (
          <p role="alert" className="text-bad-text">
            {form.failure}
          </p>
        )}
        {goOn && <p className="text-12 text-text-3">{system.basis}</p>}
      </form>
    </Dialog>
  );
}

const asked = (fields: readonly Field[], goOn: GoOn | undefined): readonly Field[] =>
  fields.filter(({ name }) => !goOn?.without.includes(name));

function SyncSwitch({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <label className="flex min-h-8 items-center gap-2 max-lg:min-h-12">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={value}
        onChange={({ target }) => onChange(target.checked)}
      />
      Sync by itself, on a timetable
    </label>
  );
}

type Opened = Pick<Props, 'system' | 'config' | 'onClose' | 'onSaved' | 'onFailed' | 'goOn'>;

function useConfigForm({ system, config: given, onClose, onSaved, onFailed, goOn }: Opened) {
  const { config, typed, setTyped, isKept, contested, overtake, drop, giveUp } = useTyped(system, given);
  const save = useSaveConfig(system.system, config);
  const { name, values, syncEnabled } = typed;
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const isClosed = useIsClosed();
  const { showIn, showFirstProblem } = useFirstProblem();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    showIn(event.currentTarget);
    if (save.isPending || isLeaving) return;
    const problems = problemsOf({ fields: system.fields, name, values, config });
    setErrors(problems);
    setFailure(null);
    if (Object.keys(problems).length > 0) return showFirstProblem();
    try {
      const settings = { ...values };
      // An empty secret of an edited configuration means that it stays.
      for (const field of system.fields)
        if (field.kind === 'secret' && config && !settings[field.name]) delete settings[field.name];
      const isActive = config?.isActive ?? true;
      const input = { name: name.trim(), settings, isActive, syncEnabled };
      if (goOn) {
        // Until the next page is there. Who is refused there comes back to what was typed.
        setLeaving(true);
        await goOn.send(input);
        return;
      }
      const saved = await save.mutateAsync(input);
      drop();
      onSaved?.(saved);
      // Another form may be open by then.
      if (!isClosed()) onClose();
    } catch (error) {
      if (isClosed()) {
        if (!goOn) (onFailed ?? tellNotSaved)(error);
        return;
      }
      setLeaving(false);
      if (isRefused(error, 'version')) overtake();
      const refused = error instanceof ApiError ? withoutPrefix(error.fields) : {};
      setErrors(refused);
      const shown = ['name', ...asked(system.fields, goOn).map((field) => field.name)];
      setFailure(stands(refused, shown) || isSignedOut(error) ? null : sentenceOf(error));
      showFirstProblem();
      onFailed?.(error);
    }
  };
  const clear = (field: string): void => setErrors(({ [field]: _, ...rest }) => rest);
  return {
    ...{ config, name, values, syncEnabled, isKept, failure, submit },
    errors: { ...takenSentences(contested), ...errors },
    pending: save.isPending || isLeaving,
    setSyncEnabled: (value: boolean): void => setTyped((before) => ({ ...before, syncEnabled: value })),
    setName: (text: string): void => {
      setTyped((before) => ({ ...before, name: text }));
      clear('name');
    },
    set: (field: string, value: Value): void => {
      setTyped((before) => ({ ...before, values: { ...before.values, [field]: value } }));
      clear(field);
    },
    fill: (label: string, given: Readonly<Record<string, string>>): void => {
      setTyped((before) => ({
        ...before,
        name: before.name || label,
        values: { ...before.values, ...given },
      }));
      setErrors({});
    },
    discard: (): void => {
      giveUp();
      setErrors({});
      setFailure(null);
    },
  };
}

/** Asked after the answer has come: the form may have been closed meanwhile. */
function useIsClosed(): () => boolean {
  const closed = useRef(false);
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
    };
  }, []);
  return () => closed.current;
}

/** A form that was closed can say nothing: whoever did not wait for the answer would believe that it is saved. */
const tellNotSaved = (error: unknown): void =>
  toast({ variant: 'destructive', title: 'Configuration Not Saved', description: sentenceOf(error) });

type Checked = { fields: readonly Field[]; name: string; values: Values; config: IntegrationConfig | null };

/** The same check as the server's, so that nobody waits for it; only the sandbox's address is the server's to know. */
function problemsOf({ fields, name, values, config }: Checked): Record<string, string> {
  const set = Object.entries(config?.secrets ?? {}).filter(([, secret]) => secret.configured);
  const before = Object.fromEntries(set.map(([field]) => [field, 'set']));
  const { errors } = checkSettings({ fields, given: values, before, sandboxUrl: null });
  for (const field of fields)
    if (field.kind === 'url' && /^http:\/\//i.test(String(values[field.name]))) delete errors[field.name];
  const problem = configNameProblem(name);
  return problem ? { name: problem, ...errors } : errors;
}

const takenSentences = (contested: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(contested).map(([name, theirs]) => [
      name,
      typeof theirs === 'string' && theirs !== ''
        ? `Somebody else set it to “${theirs}” meanwhile.`
        : 'Somebody else changed it meanwhile.',
    ]),
  );

const withoutPrefix = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, sentence]) => [name.replace(/^settings\./, ''), sentence]));

/** Whether every sentence is under a field of the form, and so need not be said again below them. */
function stands(sentences: Record<string, string>, fields: readonly string[]): boolean {
  const refused = Object.keys(sentences);
  return refused.length > 0 && refused.every((name) => fields.includes(name));
}

type ControlProps = {
  field: Field;
  value: Value;
  error: string | undefined;
  secret: { configured: boolean; ending: string | null } | undefined;
  onChange: (value: Value) => void;
};

function SettingControl({ field, value, error, secret, onChange }: ControlProps) {
  if (field.kind === 'switch') return <SwitchControl {...{ field, value, error, onChange }} />;
  if (field.kind === 'choice') {
    return (
      <div className="grid gap-1">
        <Select
          label={field.label}
          value={String(value)}
          options={field.options ?? []}
          error={error}
          onChange={onChange}
        />
        {field.help && !error && <p className="text-12 text-text-3">{field.help}</p>}
      </div>
    );
  }
  const isSet = field.kind === 'secret' && secret?.configured === true;
  return (
    <TextField
      label={field.label}
      required={field.required !== undefined && !isSet}
      type={field.kind === 'secret' ? 'password' : 'text'}
      autoComplete={field.kind === 'secret' ? 'new-password' : 'off'}
      inputMode={field.kind === 'url' ? 'url' : undefined}
      spellCheck={false}
      value={String(value)}
      error={error}
      placeholder={isSet ? `Set${secret?.ending ? `, ends in ${secret.ending}` : ''}` : undefined}
      hint={isSet ? 'Leave empty to keep what is set. A new one replaces it.' : field.help}
      onChange={onChange}
    />
  );
}

function SwitchControl({ field, value, error, onChange }: Omit<ControlProps, 'secret'>) {
  const id = useId();
  const described = error || field.help ? id : undefined;
  return (
    <div className="grid gap-1">
      <label className="flex min-h-8 items-center gap-2 max-lg:min-h-12">
        <input
          type="checkbox"
          className="size-4 flex-none accent-accent"
          checked={value === true}
          aria-invalid={error ? true : undefined}
          aria-describedby={described}
          onChange={({ target }) => onChange(target.checked)}
        />
        {field.label}
      </label>
      <Message id={described} error={error} hint={field.help} />
    </div>
  );
}
