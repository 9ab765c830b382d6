import { useState } from 'react';
import type { ApplicationAccess, ApplicationOf } from '../../contract/access.ts';
import type { AdminPerson } from '../../contract/people.ts';
import { formatDateTime } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { AccessForm } from './access-form.tsx';
import { nameOf, useAccess, useRemoveAccess } from './api.ts';

type Edited = { application: ApplicationOf; access: ApplicationAccess | null };

/** What a person may use: what the role opens, and what was given or taken beside it. */
export function AccessDialog({ person, onClose }: { person: AdminPerson; onClose: () => void }) {
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Applications of ${nameOf(person)}`}
      description={`As a ${person.roleLabel} the role decides, until access is given for an application: then only that counts, and it ends when it expires.`}
      footer={
        <Button onClick={onClose} className="max-lg:min-h-12">
          Close
        </Button>
      }
    >
      <Applications person={person} />
    </Dialog>
  );
}

function Applications({ person }: { person: AdminPerson }) {
  const list = useAccess(person.id);
  const [edited, setEdited] = useState<Edited | null>(null);
  if (list.error && !list.data)
    return <FailedView error={list.error} retry={() => void list.refetch()} title="The applications did not load" />;
  if (!list.data) return <Skeleton className="h-64" />;
  if (edited) return <AccessForm person={person} {...edited} onClose={() => setEdited(null)} />;
  return (
    <ul>
      {list.data
        .filter(({ allowedByRole, access }) => allowedByRole || access.length > 0)
        .map((application) => (
          <Application key={application.applicationName} application={application} onEdit={setEdited} />
        ))}
    </ul>
  );
}

type Props = { application: ApplicationOf; onEdit: (edited: Edited) => void };

function Application({ application, onEdit }: Props) {
  const { label, permissions, access } = application;
  const remove = useRemoveAccess();
  return (
    <li className="grid gap-1 border-line border-b py-2 last:border-b-0">
      <div className="flex items-center gap-2">
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium max-sm:basis-full">{label}</span>
          <Badge tone={permissions.length > 0 ? 'ok' : 'bad'}>
            {permissions.length > 0 ? permissions.join(', ') : 'Closed'}
          </Badge>
          {access.length === 0 && <span className="text-12 text-text-3">by role</span>}
        </span>
        <Button
          onClick={() => onEdit({ application, access: null })}
          className="max-lg:min-h-12"
          aria-label={`Give access to ${label}`}
        >
          Give access
        </Button>
      </div>
      {access.map((one) => (
        <div key={one.id} className="flex flex-wrap items-center gap-x-3 pl-4 text-text-2">
          <span className="min-w-0 flex-1">
            {one.permissions.join(', ')}
            {one.routeDesignation && `, on route ${one.routeDesignation}`}
            {`, ${endOf(one)}`}
          </span>
          <span className="flex">
            <IconButton
              label={`Change access to ${label}`}
              icon="edit"
              className="max-lg:size-12"
              onClick={() => onEdit({ application, access: one })}
            />
            <IconButton
              label={`Remove access to ${label}`}
              icon="trash"
              className="max-lg:size-12"
              disabled={remove.isPending}
              onClick={() => remove.mutate({ access: one, isLast: access.length === 1 })}
            />
          </span>
        </div>
      ))}
    </li>
  );
}

function endOf({ isActive, expiresAt }: ApplicationAccess): string {
  if (!isActive) return 'switched off';
  if (expiresAt === null) return 'without end';
  return `${Date.parse(expiresAt) <= Date.now() ? 'ended' : 'until'} ${formatDateTime(expiresAt)}`;
}
