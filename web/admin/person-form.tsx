import { useId, useState } from 'react';
import type { AdminPerson } from '../../contract/people.ts';
import { typedPerson } from '../../domain/person-form.ts';
import { phoneText } from '../../domain/phone-number.ts';
import { asksToSignInAgain, SignInAgain } from '../auth/sign-in-again.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useFirstField } from '../ui/forms/first-field.ts';
import { useForm } from '../ui/forms/form.ts';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { roles, useAdministration, useSavePerson } from './api.ts';

type Props = { person: AdminPerson | null; onClose: () => void };

/** Invites a person, or changes the one given. Mount it to open it. */
export function PersonForm({ person, onClose }: Props) {
  const id = useId();
  const save = useSavePerson(person);
  const [isAsking, setAsking] = useState(false);
  const typed = useFirstField();
  const known = useAdministration({ route: null, role: null }).data?.routeDesignations ?? [];
  const form = useForm({
    schema: typedPerson,
    initial: {
      email: person?.email ?? '',
      firstName: person?.firstName ?? '',
      lastName: person?.lastName ?? '',
      phoneNumber: phoneText(person?.phoneNumber ?? ''),
      role: person?.role ?? 'field_worker',
      routeDesignation: person?.routeDesignation ?? '',
    },
    ...(person ? {} : { draftKey: 'invite-person' }),
    onSubmit: async (input) => {
      try {
        await save.mutateAsync(input);
        onClose();
      } catch (error) {
        setAsking(asksToSignInAgain(error));
        throw error;
      }
    },
  });
  const { field } = form;
  return (
    <Dialog
      open
      onClose={onClose}
      title={person ? `Edit ${person.firstName || person.email}` : 'Invite Person'}
      {...(person ? {} : { description: 'They get an e-mail and sign in with a code: there is no password.' })}
      footer={
        <FormButtons
          form={id}
          submitLabel={person ? 'Save Person' : 'Send Invitation'}
          pending={form.pending}
          onCancel={() => {
            form.discard();
            onClose();
          }}
        />
      }
    >
      <form
        ref={typed}
        id={id}
        noValidate
        onSubmit={form.submit}
        className="grid grid-cols-2 items-start gap-4 pt-2 max-sm:grid-cols-1"
      >
        <TextField label="First name" required autoComplete="off" {...field('firstName')} />
        <TextField label="Last name" autoComplete="off" {...field('lastName')} />
        <TextField
          label="Work email"
          type="email"
          inputMode="email"
          required
          autoComplete="off"
          className="col-span-full"
          {...field('email')}
        />
        <TextField
          label="Phone number"
          type="tel"
          autoComplete="off"
          hint={
            person?.phoneNumber && !person.phoneConfirmed
              ? 'Not confirmed yet: they do it under Your Account'
              : 'For codes by text message, once they confirmed it under Your Account'
          }
          className="col-span-full"
          {...field('phoneNumber')}
        />
        <Select
          label="Role"
          value={form.values.role}
          error={form.errorOf('role')}
          onChange={(value) => form.set('role', roles.find((one) => one.value === value)?.value ?? 'field_worker')}
          options={roles}
        />
        <TextField
          label="Route designation"
          autoComplete="off"
          list={`${id}-routes`}
          hint={form.values.role === 'field_worker' ? 'Without one they see no locations' : 'Not needed for this role'}
          {...field('routeDesignation')}
        />
        <datalist id={`${id}-routes`}>
          {known.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
        {form.failure && !isAsking && (
          <p role="alert" className="col-span-full text-bad-text">
            {form.failure}
          </p>
        )}
      </form>
      {isAsking && (
        <SignInAgain
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false);
            typed.current?.requestSubmit();
          }}
        />
      )}
    </Dialog>
  );
}
