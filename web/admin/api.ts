import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type ApplicationAccess,
  changeApplicationAccess,
  giveApplicationAccess,
  listApplicationAccess,
  removeApplicationAccess,
} from '../../contract/access.ts';
import { getAdministration, pageAdminInventory, pageAdminLocations } from '../../contract/admin.ts';
import { listAuditChoices, pageAuditLog, verifyAuditLog } from '../../contract/audit.ts';
import {
  type AdminPerson,
  deactivatePerson,
  inviteAgain,
  invitePerson,
  pagePeople,
  reactivatePerson,
  updatePerson,
} from '../../contract/people.ts';
import type { Role } from '../../domain/permissions.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export const roles: readonly { value: Role; label: string }[] = [
  { value: 'admin', label: 'Super Admin' },
  { value: 'route_manager', label: 'Route Manager' },
  { value: 'field_worker', label: 'Field Operator' },
];

/** What the top of the screen says is wanted of every tab. */
export type Filter = { search: string; route: string | null; role: Role | null };

const optional = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== '')) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

export const useAdministration = ({ route, role }: Pick<Filter, 'route' | 'role'>) =>
  useQuery({
    ...queryFor(getAdministration, { query: optional({ route, role }) }),
    placeholderData: keepPreviousData,
  });

type Paged = { sort: string; page: string | null };

export const usePeople = ({ search, route, role }: Filter, { sort, page }: Paged) =>
  useQuery({
    ...queryFor(pagePeople, { query: { sort: sort as 'name', ...optional({ search, route, role, page }) } }),
    placeholderData: keepPreviousData,
  });

export const useLocations = ({ search, route }: Filter, { sort, page }: Paged) =>
  useQuery({
    ...queryFor(pageAdminLocations, { query: { sort: sort as 'name', ...optional({ search, route, page }) } }),
    placeholderData: keepPreviousData,
  });

type Stock = 'all' | 'low';
export const useInventory = ({ search, route, stock }: Filter & { stock: Stock }, { sort, page }: Paged) =>
  useQuery({
    ...queryFor(pageAdminInventory, {
      query: { stock, sort: sort as 'product', ...optional({ search, route, page }) },
    }),
    placeholderData: keepPreviousData,
  });

function changed(client: QueryClient): Promise<void> {
  const lists = ['/api/people', '/api/admin', '/api/application-access', '/api/audit-log', '/api/device-sessions'];
  return client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => lists.some((start) => String(path).startsWith(start)),
  });
}

const failed = (error: unknown): void =>
  toast({ variant: 'destructive', title: 'Error', description: sentenceOf(error) });

export const nameOf = ({ firstName, lastName, email }: Pick<AdminPerson, 'firstName' | 'lastName' | 'email'>): string =>
  `${firstName} ${lastName}`.trim() || email;

type PersonInput = Parameters<typeof call<typeof updatePerson>>[1]['body'];

export function useSavePerson(person: AdminPerson | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PersonInput) =>
      person ? call(updatePerson, { params: { id: person.id }, body }) : call(invitePerson, { body }),
    onSuccess: (saved) => {
      toast(
        person
          ? { title: 'Person Updated', description: nameOf(saved) }
          : { title: 'Invitation Sent', description: `${saved.email} can sign in now` },
      );
      return changed(client);
    },
  });
}

export function useSetActive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, isActive }: AdminPerson) =>
      call(isActive ? deactivatePerson : reactivatePerson, { params: { id } }),
    onSuccess: (person) => {
      toast({ title: person.isActive ? 'Person Reactivated' : 'Person Deactivated', description: nameOf(person) });
      return changed(client);
    },
    onError: failed,
  });
}

export function useInviteAgain() {
  return useMutation({
    mutationFn: ({ id }: AdminPerson) => call(inviteAgain, { params: { id } }),
    onSuccess: (_, { email }) => toast({ title: 'Invitation Sent', description: email }),
    onError: failed,
  });
}

export const useAccess = (userId: number) => useQuery(queryFor(listApplicationAccess, { query: { userId } }));

type Given = Parameters<typeof call<typeof giveApplicationAccess>>[1]['body'];
export function useSaveAccess(access: ApplicationAccess | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, applicationName, ...body }: Given) =>
      access
        ? call(changeApplicationAccess, { params: { id: access.id }, body })
        : call(giveApplicationAccess, { body: { userId, applicationName, ...body } }),
    onSuccess: () => {
      toast({ title: access ? 'Access Changed' : 'Access Given' });
      return changed(client);
    },
  });
}

/** Takes an access away; the message gives it again as it was. */
type Removal = { access: ApplicationAccess; isLast: boolean };

export function useRemoveAccess() {
  const client = useQueryClient();
  const giveAgain = useMutation({
    mutationFn: ({ id: _, ...given }: ApplicationAccess) => call(giveApplicationAccess, { body: given }),
    onSuccess: () => {
      toast({ title: 'Access Given' });
      return changed(client);
    },
    onError: failed,
  });
  return useMutation({
    mutationFn: ({ access: { id } }: Removal) => call(removeApplicationAccess, { params: { id } }),
    onSuccess: (_, { access, isLast }) => {
      toast({
        title: 'Access Removed',
        description: isLast ? 'The role decides again' : 'What else was given still counts',
        action: { label: 'Undo', run: () => giveAgain.mutate(access) },
      });
      return changed(client);
    },
    onError: failed,
  });
}

export type AuditFilter = {
  search: string;
  actor: string | null;
  action: string | null;
  objectType: string | null;
  from: string | null;
  until: string | null;
};

const auditQuery = ({ actor, ...rest }: AuditFilter, page: string | null) => ({
  ...optional({ ...rest, page }),
  ...(actor === null ? {} : { actor }),
});

export const useAuditLog = (filter: AuditFilter, { sort, page }: Paged) =>
  useQuery({
    ...queryFor(pageAuditLog, { query: { sort: sort as '-at', ...auditQuery(filter, page) } }),
    placeholderData: keepPreviousData,
  });

/** Pages for an export: large ones, one after the other. */
export const loadAuditPage = (filter: AuditFilter, page: string | null) =>
  call(pageAuditLog, { query: { limit: 1000, ...auditQuery(filter, page) } });

export const useAuditChoices = () => useQuery(queryFor(listAuditChoices, {}));

export function useVerifyAuditLog() {
  return useMutation({ mutationFn: () => call(verifyAuditLog, {}), onError: failed });
}
