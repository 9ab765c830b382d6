import { type ReactNode, useMemo, useState } from 'react';
import type { AdminPerson } from '../../contract/people.ts';
import { useSession } from '../auth/api.ts';
import { countOf, formatDateTime, formatNumber } from '../http/format.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialogs/dialog.tsx';
import type { IconName } from '../ui/icon.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { byName, byTime } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { useSmallScreen } from '../ui/use-media.ts';
import { AccessDialog } from './access-dialog.tsx';
import { type Filter, nameOf, useInviteAgain, usePeople, useSetActive } from './api.ts';
import { NothingFound } from './nothing-found.tsx';
import { PersonForm } from './person-form.tsx';

type Opened = { what: 'invite' } | { what: 'menu' | 'edit' | 'access' | 'deactivate'; person: AdminPerson } | null;

const usualSort = 'name';

/** Everybody: invite, change, shut out, give access. */
export function PeopleTable({ filter, titleId }: { filter: Filter; titleId: string }) {
  const { get, set } = useAddress();
  const sort = get('sort') ?? usualSort;
  const [chosen, setOpened] = useState<Opened>(null);
  // An address may open the form itself.
  const opened: Opened = chosen ?? (get('add') ? { what: 'invite' } : null);
  const people = usePeople(filter, { sort, page: get('page') });
  const { mutate: setActive, isPending } = useSetActive();
  const withActions = useMemo(() => [...columns, actions(setOpened, setActive)], [setActive]);
  const close = (): void => {
    setOpened(null);
    if (get('add')) set({ add: null });
  };
  return (
    <>
      <div className="flex min-h-12 flex-wrap items-center gap-2 border-line border-b px-4 py-2">
        <h2 id={titleId}>System Users</h2>
        {people.data && <span className="font-medium text-text-3">{formatNumber(people.data.total)}</span>}
        <Button
          variant="primary"
          icon="plus"
          onClick={() => setOpened({ what: 'invite' })}
          className="ml-auto max-lg:min-h-12"
        >
          Invite Person
        </Button>
      </div>
      {people.error && !people.data ? (
        <FailedPage list={people} title="System users did not load" />
      ) : (
        <PagedTable
          label="System users"
          page={people.data}
          waiting={people.isPlaceholderData}
          columns={withActions}
          rowKey={(row) => row.id}
          sort={sort}
          onSort={(by) => set({ sort: by === usualSort ? null : by, page: null })}
          onPage={(page) => set({ page })}
          empty={<NothingFound icon="person" title="Nobody matches" filter={filter} />}
        />
      )}
      {opened?.what === 'invite' && <PersonForm person={null} onClose={close} />}
      {opened?.what === 'menu' && <PersonDialog person={opened.person} open={setOpened} onClose={close} />}
      {opened?.what === 'edit' && <PersonForm person={opened.person} onClose={close} />}
      {opened?.what === 'access' && <AccessDialog person={opened.person} onClose={close} />}
      {opened?.what === 'deactivate' && (
        <ConfirmDialog
          open
          onClose={close}
          title={`Deactivate ${nameOf(opened.person)}?`}
          confirmLabel="Deactivate"
          pending={isPending}
          onConfirm={() => setActive(opened.person, { onSettled: close })}
        >
          <p>
            {opened.person.email} is signed out everywhere at once and cannot sign in. What their phone still sends
            waits for a manager. You can reactivate them at any time.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const columns: readonly PagedColumn<AdminPerson>[] = [
  {
    ...{ key: 'name', header: 'Person', sortBy: 'name', orders: byName },
    cell: (row) => (
      <span className="grid">
        <span className="flex items-center gap-2 truncate font-medium max-sm:pt-1">
          {nameOf(row)}
          {!row.isActive && <Badge tone="idle">Deactivated</Badge>}
        </span>
        <span className="truncate text-12 text-text-3 max-sm:pb-1 max-sm:break-words max-sm:whitespace-normal">
          <span className="block sm:hidden">{row.roleLabel}</span>
          {row.email}
        </span>
      </span>
    ),
  },
  {
    key: 'role',
    header: 'Role',
    sortBy: 'role',
    orders: byName,
    className: 'w-32 max-sm:hidden',
    cell: (row) => row.roleLabel,
  },
  {
    ...{ key: 'route', header: 'Route', sortBy: 'route', orders: byName, className: 'w-16 max-md:hidden' },
    cell: (row) => row.routeDesignation ?? <span className="text-text-3">N/A</span>,
  },
  {
    ...{ key: 'permissions', header: 'Permissions', className: 'w-28 max-xl:hidden' },
    cell: (row) => <span title={row.permissions.join(', ')}>{countOf(row.permissions.length, 'permission')}</span>,
  },
  {
    ...{ key: 'active', header: 'Last active', sortBy: 'active', orders: byTime, className: 'w-48 max-lg:hidden' },
    cell: (row) => (row.lastActive ? formatDateTime(row.lastActive) : <span className="text-text-3">Never</span>),
  },
];

type Act = (opened: Opened) => void;

const actions = (open: Act, reactivate: (person: AdminPerson) => void): PagedColumn<AdminPerson> => ({
  key: 'actions',
  header: 'Actions',
  align: 'right',
  className: 'w-40 max-lg:w-32 max-sm:w-20 print:hidden',
  cell: (person) => <Actions person={person} open={open} reactivate={reactivate} />,
});

type ActionsProps = { person: AdminPerson; open: Act; reactivate: (person: AdminPerson) => void };

function Actions({ person, open, reactivate }: ActionsProps) {
  const isSmall = useSmallScreen();
  const name = nameOf(person);
  if (!person.isActive) {
    // The word is wider than the column of a phone.
    return isSmall ? (
      <IconButton label={`Reactivate ${name}`} icon="unlock" size="field" onClick={() => reactivate(person)} />
    ) : (
      <Button onClick={() => reactivate(person)} className="max-lg:min-h-12" aria-label={`Reactivate ${name}`}>
        Reactivate
      </Button>
    );
  }
  return (
    <>
      <span className="lg:hidden">
        <IconButton label={`Manage ${name}`} icon="more" size="field" onClick={() => open({ what: 'menu', person })} />
      </span>
      <span className="inline-flex max-lg:hidden">
        <Choices person={person} open={open}>
          {({ icon, label, run }) => <IconButton key={icon} icon={icon} label={`${label}: ${name}`} onClick={run} />}
        </Choices>
      </span>
    </>
  );
}

type Choice = { icon: IconName; label: string; run: () => void };
type ChoicesProps = { person: AdminPerson; open: Act; children: (choice: Choice) => ReactNode };

/** What can be done with an active person; nobody shuts themselves out. */
function Choices({ person, open, children }: ChoicesProps) {
  const me = useSession().person;
  const again = useInviteAgain();
  const to = (what: 'edit' | 'access' | 'deactivate') => () => open({ what, person });
  const choices: Choice[] = [
    ...(person.lastActive === null
      ? [{ icon: 'mail' as const, label: 'Send invitation again', run: () => again.mutate(person) }]
      : []),
    { icon: 'edit', label: 'Edit', run: to('edit') },
    { icon: 'key', label: 'Applications', run: to('access') },
    ...(person.id === me.id ? [] : [{ icon: 'lock' as const, label: 'Deactivate', run: to('deactivate') }]),
  ];
  return <>{choices.map(children)}</>;
}

type PersonDialogProps = { person: AdminPerson; open: Act; onClose: () => void };

/** The same on a phone, where a row has no room for it. */
function PersonDialog({ person, open, onClose }: PersonDialogProps) {
  return (
    <Dialog open onClose={onClose} title={nameOf(person)} description={`${person.roleLabel}, ${person.email}`}>
      <div className="grid gap-2 pt-2">
        <p className="text-text-2">
          {person.lastActive ? `Last active ${formatDateTime(person.lastActive)}` : 'Never signed in'}
        </p>
        <Choices person={person} open={open}>
          {({ icon, label, run }) => (
            <Button key={icon} icon={icon} size="field" onClick={run}>
              {label}
            </Button>
          )}
        </Choices>
      </div>
    </Dialog>
  );
}
