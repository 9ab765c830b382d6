import { useId } from 'react';
import type { ApplicationAccess, ApplicationOf } from '../../contract/access.ts';
import type { AdminPerson } from '../../contract/people.ts';
import { rolePowers } from '../../domain/application.ts';
import { typedAccess } from '../../domain/person-form.ts';
import { dayIn, instantIn } from '../../domain/time.ts';
import { useSession } from '../auth/api.ts';
import { Button } from '../ui/button.tsx';
import { useForm } from '../ui/forms/form.ts';
import { MomentField } from '../ui/forms/moment-field.tsx';
import { useSaveAccess } from './api.ts';

const powers = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
  { value: 'delete', label: 'Delete' },
] as const;

/** An instant as the control for dates and times wants it: in the operator's time zone, to the minute. */
function localText(timeZone: string, instant: string | null): string {
  if (instant === null) return '';
  const at = new Date(instant);
  const time = at.toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  return `${dayIn(timeZone, at)}T${time}`;
}

function instantOf(timeZone: string, text: string | null): string | null {
  if (text === null) return null;
  const [day = '', time = ''] = text.split('T');
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return instantIn(timeZone, day, 60 * hours + minutes).toISOString();
}

type Props = { person: AdminPerson; application: ApplicationOf; access: ApplicationAccess | null; onClose: () => void };

/** Gives access to an application, or changes what was given. */
export function AccessForm({ person, application, access, onClose }: Props) {
  const id = useId();
  const save = useSaveAccess(access);
  const { timeZone } = useSession().operator;
  const byRole = rolePowers(application.applicationName, person.role);
  const form = useForm({
    schema: typedAccess,
    initial: {
      permissions: access ? [...access.permissions] : byRole.filter((one) => one !== 'delete'),
      isActive: access?.isActive ?? true,
      expiresAt: localText(timeZone, access?.expiresAt ?? null),
      onRouteOnly: (access?.routeDesignation ?? null) !== null,
    },
    onSubmit: async ({ onRouteOnly, expiresAt: typed, ...given }) => {
      const expiresAt = instantOf(timeZone, typed);
      const route = onRouteOnly ? (access?.routeDesignation ?? person.routeDesignation) : null;
      const { applicationName } = application;
      await save.mutateAsync({ userId: person.id, applicationName, ...given, expiresAt, routeDesignation: route });
      onClose();
    },
  });
  const { values } = form;
  const offered = powers.filter(({ value }) => byRole.includes(value) || access?.permissions.includes(value));
  const route = access?.routeDesignation ?? person.routeDesignation;
  return (
    <form id={id} noValidate onSubmit={form.submit} className="grid gap-4 pt-2">
      <h3 className="font-semibold">{application.label}</h3>
      <fieldset className="grid gap-1">
        <legend className="font-medium text-12 text-text-2">Permissions</legend>
        <div className="flex flex-wrap gap-4">
          {offered.map(({ value, label }) => (
            <Check
              key={value}
              label={label}
              checked={values.permissions.includes(value)}
              onChange={(on) =>
                form.set(
                  'permissions',
                  on ? [...values.permissions, value] : values.permissions.filter((one) => one !== value),
                )
              }
            />
          ))}
        </div>
        {form.errorOf('permissions') && <p className="text-12 text-bad-text">{form.errorOf('permissions')}</p>}
      </fieldset>
      <MomentField
        label="Ends"
        usualTime="23:59"
        empty="Without end"
        className="max-w-80"
        {...form.field('expiresAt')}
      />
      {route !== null && (
        <Check
          label={`Only while the person works on route ${route}`}
          checked={values.onRouteOnly}
          onChange={(on) => form.set('onRouteOnly', on)}
        />
      )}
      <Check label="Active" checked={values.isActive} onChange={(on) => form.set('isActive', on)} />
      {form.failure && (
        <p role="alert" className="text-bad-text">
          {form.failure}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose} className="max-lg:min-h-12">
          Back
        </Button>
        <Button
          type="submit"
          variant="primary"
          pending={form.pending}
          pendingLabel="Saving..."
          className="max-lg:min-h-12"
        >
          Save Access
        </Button>
      </div>
    </form>
  );
}

type CheckProps = { label: string; checked: boolean; onChange: (on: boolean) => void };

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="inline-flex items-center gap-2 max-lg:min-h-12">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 accent-accent max-lg:size-5"
      />
      {label}
    </label>
  );
}
