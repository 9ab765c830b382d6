import { AppError } from '../../domain/errors.ts';
import { FolderLockedError } from '../db/embedded/folder-lock.ts';
import { AddressError } from '../db/postgres/one-database.ts';
import { EnvError } from '../env.ts';
import { describeError } from '../http/watch/log.ts';
import type { Command, ExitCode, Io } from './command.ts';
import { backup } from './commands/backup.ts';
import { dex } from './commands/dex.ts';
import { doctor } from './commands/doctor.ts';
import { importData } from './commands/import.ts';
import { need } from './commands/need.ts';
import { openapi } from './commands/openapi.ts';
import { person } from './commands/person.ts';
import { restore } from './commands/restore.ts';
import { roads } from './commands/roads.ts';
import { sandbox } from './commands/sandbox.ts';
import { secrets } from './commands/secrets.ts';
import { serve } from './commands/serve.ts';
import { simulate } from './commands/simulate.ts';
import { solve } from './commands/solve.ts';
import { user } from './commands/user.ts';

/** Every command of the program: one file each. */
const commands: Record<string, Command> = {
  serve,
  roads,
  simulate,
  solve,
  import: importData,
  need,
  backup,
  restore,
  doctor,
  dex,
  user,
  person,
  secrets,
  sandbox,
  openapi,
};

/** Runs one command; every refusal is a sentence on standard error. */
export async function runCommand(argv: readonly string[], io: Io): Promise<ExitCode | 'stay'> {
  const [name = '', ...args] = argv;
  if (['', '--help', '-h', 'help'].includes(name)) {
    io.out(overview());
    return name === '' ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    io.err(`There is no command '${name}'.\n${overview()}`);
    return 2;
  }
  if (args.includes('--help')) {
    io.out(`Usage: milkrun ${command.usage}\n${command.summary}`);
    return 0;
  }
  return attempt(command, args, io);
}

async function attempt(command: Command, args: string[], io: Io): Promise<ExitCode | 'stay'> {
  try {
    return await command.run(args, io);
  } catch (error) {
    if (isWrongUsage(error)) {
      io.err(`${error.message}\nUsage: milkrun ${command.usage}`);
      return 2;
    }
    io.err(sentenceOf(error));
    return 1;
  }
}

/** Node's own sentence names the unknown or incomplete option. */
function isWrongUsage(error: unknown): error is Error {
  return codeOf(error).startsWith('ERR_PARSE_ARGS');
}

function codeOf(error: unknown): string {
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return source instanceof Error && 'code' in source ? String(source.code) : '';
}

const noDatabase = 'The database of DATABASE_URL does not answer. Is it running, and are host and port right?';

const unknownHost = 'A host name cannot be found. Check HOST and DATABASE_URL.';

/** What a start meets outside the program, by the code of system or database. */
const sentences: Record<string, string> = {
  EADDRINUSE: 'The port is in use. Stop the other program or set PORT.',
  EADDRNOTAVAIL: 'HOST is not an address of this machine.',
  EACCES: 'The system refuses: the port of PORT or the folder of MILKRUN_DATA is not for this user.',
  EEXIST: 'MILKRUN_DATA names a file. Accepted: a folder.',
  ENOTDIR: 'A folder of the settings lies below a file. Check MILKRUN_DATA and ROADS_DIR.',
  EROFS: 'The folder of MILKRUN_DATA cannot be written: its file system is read-only.',
  ENOSPC: 'The disk of MILKRUN_DATA is full. Make room on it, then start again.',
  ECONNREFUSED: noDatabase,
  EHOSTUNREACH: noDatabase,
  ENETUNREACH: noDatabase,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ETIMEDOUT: noDatabase,
  '28P01': 'The database refuses name or password of DATABASE_URL.',
  '53100': 'The disk of the database is full. Make room on it, then start again.',
  '53300': 'PostgreSQL has no connection left. Raise max_connections, or put PgBouncer before it.',
  '28000':
    'The database refuses the role of DATABASE_URL. Is there such a role, may it log in, and does pg_hba.conf let it in from here?',
  '08P01':
    'A pooler at DATABASE_URL refused the connection. Behind PgBouncer set DATABASE_DIRECT_URL to the database itself.',
  '25006':
    'The database of DATABASE_URL can only be read: it follows another, or default_transaction_read_only is on. Name the one that is written to.',
  '3D000': 'The database that DATABASE_URL names does not exist. Create it first.',
  '42501':
    'The role of DATABASE_URL may not make tables. Give it CREATE, or set DATABASE_ADMIN_URL to a role that may.',
};

/** Which right is missing, by PostgreSQL's own words; without one of these it is the right to make tables. */
const missingRights: [RegExp, string][] = [
  [/\bCONNECT\b/, 'The role of DATABASE_URL may not connect to the database. Give it CONNECT.'],
  [
    /permission denied for (?:table|view|sequence|function)|must be owner/,
    'The tables of the database belong to another role than that of DATABASE_URL. Name the owner in DATABASE_ADMIN_URL: each start then gives the role of DATABASE_URL what it needs.',
  ],
];

function ofMissingRight(error: Error): string | undefined {
  const source = error.cause instanceof Error ? error.cause : error;
  const words = `${source.message} ${'detail' in source ? source.detail : ''}`;
  return missingRights.find(([known]) => known.test(words))?.[1];
}

/** What is said of an address goes for the setting that holds it. */
function sentenceFor(error: Error): string | undefined {
  const code = codeOf(error);
  const sentence = (code === '42501' ? ofMissingRight(error) : undefined) ?? sentences[code];
  return error instanceof AddressError ? sentence?.replaceAll('DATABASE_URL', error.setting) : sentence;
}

/** What is said of what ended a command: a sentence where it is known, else where it happened. */
export function sentenceOf(error: unknown): string {
  if (error instanceof EnvError || error instanceof AppError || error instanceof FolderLockedError)
    return error.message;
  if (!(error instanceof Error)) return String(error);
  return sentenceFor(error) ?? traceOf(error);
}

/** What nobody foresaw, without the values that a statement was given: they may be names or secrets, and this goes to a journal. */
function traceOf(error: Error): string {
  const { stack } = describeError(error);
  return error.cause instanceof Error ? `${stack}\nCause: ${describeError(error.cause).message}` : stack;
}

function overview(): string {
  const lines = Object.values(commands).map((command) => `  ${command.usage.padEnd(60)} ${command.summary}`);
  return `Usage: milkrun COMMAND [options]\n\n${lines.join('\n')}\n\n--help after a command says more; --json prints one JSON document.`;
}
