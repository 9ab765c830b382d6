import type { ApplicationAccess, ApplicationOf } from '../../contract/access.ts';
import {
  type ApplicationName,
  accessTo,
  applicationName,
  applications,
  applicationsOfCall,
  closedScreens,
  closedTo,
  nextExpiry,
  powerOfCall,
  rolePowers,
} from '../../domain/application.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { may, type Role, roleLabel } from '../../domain/permissions.ts';
import { role } from '../../domain/role-schemas.ts';
import { type Actor, changedFields, recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { lately } from '../db/lately.ts';
import type { Deps } from '../deps.ts';
import { publish } from '../live/hub.ts';
import { findPerson } from '../people/service.ts';
import {
  type Access,
  deleteAccess,
  existsOther,
  findAccessOf,
  type Given,
  insertAccess,
  lockAccess,
  updateAccess,
} from './queries.ts';

export { renameAccessDesignation } from './queries.ts';

type Person = { userId: number; role: Role; routeDesignation: string | null };
type Call = { method: string; path: string; at: Date };

/** Refuses a call of an application that is closed to the person, or of a kind that was not given to them. */
export async function refuseClosed(db: Db, person: Person, { method, path, at }: Call): Promise<void> {
  const asked = applicationsOfCall(method, path, person.role);
  if (asked.length === 0) return;
  const key = `access ${person.userId}`;
  const records = await lately(db, { key, from: ['application_access'] }, () => findAccessOf(db, [person.userId]));
  for (const name of asked) {
    if (!may(person.role, applications[name].needs)) continue;
    const powers = accessTo(name, person, { records, at });
    if (!powers.includes(powerOfCall(method))) throw refusal(name, powers.length > 0);
  }
}

function refusal(name: ApplicationName, isOpen: boolean): AppError {
  const { label } = applications[name];
  const sentence = isOpen
    ? `Your access to ${label} does not include this. Ask an administrator if you need it.`
    : `Your access to ${label} has ended. Ask an administrator if you need it.`;
  return new AppError('not-allowed', sentence);
}

/** Tells of these people whether they could count at an instant: whether their counting application was open. */
export async function countersAmong(
  db: Db,
  userIds: readonly number[],
): Promise<(person: Person, at: Date) => boolean> {
  const all = userIds.length === 0 ? [] : await findAccessOf(db, [...new Set(userIds)]);
  return (person, at) => {
    const records = all.filter(({ userId }) => userId === person.userId);
    return accessTo('mobile_inventory', person, { records, at }).includes('write');
  };
}

/** What the screens of a person need to know: which of them are closed, and when that changes by itself. */
export async function screensOf(db: Db, person: Person, at: Date) {
  const records = await findAccessOf(db, [person.userId]);
  return {
    closedScreens: closedScreens(closedTo(person, { records, at })),
    changesAt: nextExpiry({ records, at })?.toISOString() ?? null,
  };
}

/** The applications that a role opens, each with whether it is open to this person now. */
export async function applicationsOf(db: Db, person: Person, at: Date) {
  const records = await findAccessOf(db, [person.userId]);
  return applicationName.options
    .filter((name) => may(person.role, applications[name].needs))
    .map((name) => ({
      id: applications[name].id,
      applicationName: name,
      label: applications[name].label,
      isActive: accessTo(name, person, { records, at }).length > 0,
    }));
}

/** Every application of a person as an administrator sees it. */
export async function listAccess(deps: Deps, userId: number): Promise<ApplicationOf[]> {
  const user = await findPerson(deps.db, userId);
  if (!user) throw notFound('person');
  const person = { role: role.parse(user.role), routeDesignation: user.routeDesignation };
  const records = await findAccessOf(deps.db, [userId]);
  return applicationName.options.map((name) => {
    const byRole = rolePowers(name, person.role);
    return {
      applicationName: name,
      label: applications[name].label,
      allowedByRole: byRole.length > 0,
      permissions: accessTo(name, person, { records, at: deps.clock.now() }).filter((one) => byRole.includes(one)),
      access: records.filter((record) => record.applicationName === name).map(toReply),
    };
  });
}

const toReply = (access: Access): ApplicationAccess => ({
  ...access,
  expiresAt: access.expiresAt?.toISOString() ?? null,
});

type Input = Omit<Given, 'expiresAt'> & { expiresAt: string | null };
const toGiven = (input: Input): Given => ({
  routeDesignation: input.routeDesignation,
  permissions: input.permissions,
  isActive: input.isActive,
  expiresAt: input.expiresAt === null ? null : new Date(input.expiresAt),
});

const twice = 'This person has an access to this application on this route already. Change that one.';

export function giveAccess(
  deps: Deps,
  caller: Actor,
  input: Input & { userId: number; applicationName: ApplicationName },
): Promise<ApplicationAccess> {
  return deps.db.transaction(async (tx) => {
    const user = await findPerson(tx, input.userId);
    if (!user) throw notFound('person');
    refusePointless(input, { role: role.parse(user.role), routeDesignation: user.routeDesignation });
    const { userId, applicationName: name } = input;
    const made = await insertAccess(tx, { userId, applicationName: name, ...toGiven(input) });
    if (!made) throw new AppError('conflict', twice);
    await note(tx, caller, made, { action: 'access.give', changed: changedFields({}, shown(made)) });
    return toReply(made);
  });
}

/** An access that could never count would look like one that does. */
function refusePointless(
  { applicationName: name, routeDesignation }: { applicationName: ApplicationName; routeDesignation: string | null },
  person: { role: Role; routeDesignation: string | null },
): void {
  const { label, needs } = applications[name];
  if (!may(person.role, needs)) {
    const sentence = `A ${roleLabel[person.role]} cannot use ${label}, whatever access is given. Change the role first.`;
    throw new AppError('invalid-input', sentence, { fields: { applicationName: sentence } });
  }
  if (routeDesignation !== null && routeDesignation !== person.routeDesignation) {
    const own = person.routeDesignation === null ? 'has no route' : `works on route ${person.routeDesignation}`;
    const sentence = `This person ${own}. Leave the route empty, or change the person's route first.`;
    throw new AppError('invalid-input', sentence, { fields: { routeDesignation: sentence } });
  }
}

export function changeAccess(
  deps: Deps,
  caller: Actor,
  id: number,
  input: Input & Partial<Whose>,
): Promise<ApplicationAccess> {
  return deps.db.transaction(async (tx) => {
    const before = await lockAccess(tx, id);
    if (!before) throw notFound('access');
    refuseAnother(before, input);
    const user = await findPerson(tx, before.userId);
    if (!user) throw notFound('person');
    const given = toGiven(input);
    if (given.routeDesignation !== before.routeDesignation) {
      const person = { role: role.parse(user.role), routeDesignation: user.routeDesignation };
      refusePointless({ applicationName: before.applicationName, routeDesignation: given.routeDesignation }, person);
    }
    if (await existsOther(tx, before, given.routeDesignation)) throw new AppError('conflict', twice);
    await updateAccess(tx, id, { ...given, updatedAt: deps.clock.now() });
    const after = { ...before, ...given };
    await note(tx, caller, after, { action: 'access.change', changed: changedFields(shown(before), shown(after)) });
    return toReply(after);
  });
}

type Whose = Pick<Access, 'userId' | 'applicationName'>;

function refuseAnother(before: Whose, { userId, applicationName }: Partial<Whose>): void {
  if (
    (userId ?? before.userId) === before.userId &&
    (applicationName ?? before.applicationName) === before.applicationName
  )
    return;
  const sentence = 'An access stays with its person and its application. Remove this one and give another.';
  const field = (userId ?? before.userId) === before.userId ? 'applicationName' : 'userId';
  throw new AppError('invalid-input', sentence, { fields: { [field]: sentence } });
}

export async function removeAccess(deps: Deps, caller: Actor, id: number): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const before = await lockAccess(tx, id);
    if (!before) throw notFound('access');
    await deleteAccess(tx, id);
    const gone = Object.fromEntries(Object.entries(shown(before)).map(([name, value]) => [name, [value, null]]));
    await note(tx, caller, before, { action: 'access.remove', changed: gone });
  });
}

/** Comparable: lists and instants as text. */
const shown = ({ routeDesignation, permissions, isActive, expiresAt }: Given) => ({
  routeDesignation,
  permissions: permissions.join(', '),
  isActive,
  expiresAt: expiresAt?.toISOString() ?? null,
});

type Noted = { action: string; changed: Record<string, unknown> };

async function note(tx: Db, caller: Actor, access: Access, { action, changed }: Noted): Promise<void> {
  await recordAudit(tx, caller, {
    action,
    objectType: 'user',
    objectId: access.userId,
    detail: { application: access.applicationName, ...changed },
  });
  await publish(tx, { topic: 'settings', routes: [], users: [access.userId] });
}
