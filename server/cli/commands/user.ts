import { parseArgs } from 'node:util';
import { type Role, roleLabel } from '../../../domain/permissions.ts';
import { role } from '../../../domain/role-schemas.ts';
import { deactivatePerson } from '../../auth/service.ts';
import type { Db } from '../../db/database.ts';
import { parseEnv } from '../../env.ts';
import { createUser, listPeople, setDesignation, type User } from '../../people/service.ts';
import { openDatabase } from '../../start.ts';
import type { Command, ExitCode, Io } from '../command.ts';

const usage =
  'user add EMAIL --role ROLE [--first-name --last-name --phone --route] | user list | user route EMAIL DESIGNATION|none | user deactivate EMAIL  [--json]';

export const user: Command = {
  usage,
  summary: 'adds, lists, moves and shuts out people without the web',
  run: userCommand,
};

/** People on the database of the settings. */
export async function userCommand(args: string[], io: Io): Promise<ExitCode> {
  const asked = parseCommand(args);
  if (typeof asked === 'string') {
    io.err(`${asked}\nUsage: milkrun ${usage}`);
    return 2;
  }
  const database = await openDatabase(parseEnv(process.env), io.err);
  try {
    const { add: added, change, json } = asked;
    if (change) return await apply(database.db, change, { ...io, json });
    if (added) {
      const made = await add(database.db, added);
      io.out(json ? JSON.stringify(shown(made)) : `${made.email} was added as ${label(made)}.`);
      return 0;
    }
    const people = await listPeople(database.db);
    io.out(json ? JSON.stringify(people.map(shown)) : lines(people));
    return 0;
  } finally {
    await database.close();
  }
}

const options = {
  role: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  phone: { type: 'string' },
  route: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parsed>['values'];
type Added = { email: string; role: Role; values: Values };
type Change = { email: string; route: string | null } | { email: string; deactivate: true };
type Asked = { add: Added | null; change: Change | null; json: boolean };

const parsed = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

/** What is asked for, or the sentence that says what is wrong with it. */
function parseCommand(args: string[]): Asked | string {
  const read = attempt(args);
  if (typeof read === 'string') return read;
  const { values, positionals } = read;
  const [what, email, route, ...more] = positionals;
  const json = values.json ?? false;
  if (more.length > 0 || (route !== undefined && what !== 'route'))
    return `Unexpected: ${[...more].join(' ') || route}.`;
  const strange = Object.keys(values).find((name) => name !== 'json' && what !== 'add');
  if (strange) return `--${strange} belongs to user add.`;
  if (what === 'list' && email === undefined) return { add: null, change: null, json };
  if (what === 'deactivate' && email) return { add: null, change: { email, deactivate: true }, json };
  if (what === 'route' && email && route) {
    return { add: null, change: { email, route: route === 'none' ? null : route }, json };
  }
  if (what !== 'add' || email === undefined)
    return 'Say add EMAIL, list, route EMAIL DESIGNATION, or deactivate EMAIL.';
  const asRole = role.safeParse(values.role);
  if (!asRole.success) return `--role must be one of ${role.options.join(', ')}.`;
  return { add: { email, role: asRole.data, values }, change: null, json };
}

function attempt(args: string[]): ReturnType<typeof parsed> | string {
  try {
    return parsed(args);
  } catch (error) {
    // Node's own sentence names the unknown or incomplete option.
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

/** Another route designation, or out at once: sessions and event streams end, what the phone still sends goes to review. */
async function apply(db: Db, change: Change, io: Io & { json: boolean }): Promise<ExitCode> {
  const person = (await listPeople(db)).find(({ email }) => email.toLowerCase() === change.email.toLowerCase());
  if (!person) {
    io.err(`Nobody here has the address ${change.email}. See milkrun user list.`);
    return 1;
  }
  if ('deactivate' in change) await deactivatePerson({ db }, null, person.id);
  else await setDesignation(db, null, { id: person.id, routeDesignation: change.route });
  const after = (await listPeople(db)).find(({ id }) => id === person.id) ?? person;
  io.out(io.json ? JSON.stringify(shown(after)) : said(person, change));
  return 0;
}

function said({ email }: User, change: Change): string {
  if ('deactivate' in change) return `${email} was deactivated and is signed out everywhere.`;
  return `${email} ${change.route === null ? 'has no route now' : `drives route ${change.route} now`}.`;
}

async function add(db: Db, { email, role: asRole, values }: Added): Promise<User> {
  const person = {
    email,
    role: asRole,
    firstName: values['first-name'],
    lastName: values['last-name'],
    phoneNumber: values.phone ?? null,
    routeDesignation: values.route ?? null,
  };
  return db.transaction((tx) => createUser(tx, { actor: null, at: new Date(), phoneIsProven: true }, person));
}

function shown({ id, email, phoneNumber, firstName, lastName, role: asRole, routeDesignation, isActive }: User) {
  return { id, email, phoneNumber, firstName, lastName, role: asRole, routeDesignation, isActive };
}

function lines(people: readonly User[]): string {
  return people.length === 0 ? 'Nobody was added yet.' : people.map(line).join('\n');
}

const label = (one: User): string => roleLabel[role.parse(one.role)];

function line(one: User): string {
  const name = `${one.firstName} ${one.lastName}`.trim() || '-';
  return [one.email, name, label(one), one.routeDesignation ?? '-', one.isActive ? 'active' : 'deactivated'].join('\t');
}
