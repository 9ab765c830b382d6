import { randomInt } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { isTimeZone } from '../../domain/time.ts';
import { recordAudit } from '../audit/service.ts';
import type { Deps } from '../deps.ts';
import { createUser, hasPeople } from '../people/service.ts';
import { setRequired } from '../second-factor/service.ts';
import { getOperator, saveOperator, setMarker, takeMarker } from '../settings/service.ts';
import { countUse, setUpLimits } from './limits.ts';
import { actor, enter, type Origin } from './sign-in.ts';

const marker = 'set-up-code';
/** Without letters and digits that look alike. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const groups = 4;
const groupLength = 4;

/**
 * A new one-time code for setting up the first administrator, to be printed on the console; null when there is a demo or
 * anybody to sign in as. Only its hash is kept, so every start makes a new one.
 */
export async function ensureSetupCode(deps: Deps): Promise<string | null> {
  if (!(await needsSetup(deps))) {
    await setMarker(deps.db, marker, null);
    return null;
  }
  const group = (): string => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  const code = Array.from({ length: groups }, group).join('-');
  await setMarker(deps.db, marker, hashOf(deps, code));
  return code;
}

/** Stands out between the lines of a log. */
export function setupNotice(code: string, address: string): string {
  const rule = '-'.repeat(72);
  return [
    '',
    rule,
    `Set-up code: ${code}`,
    `Open ${address} and enter it: you become the first administrator.`,
    rule,
    '',
  ].join('\n');
}

/** Typed without dashes or in small letters it is the same code. */
function hashOf(deps: Deps, code: string): string {
  return deps.secrets.mac(marker, code.toUpperCase().replace(/[^A-Z0-9]/g, ''));
}

/** True while nobody can sign in: no person was ever added and this is no demo. */
export async function needsSetup(deps: Deps): Promise<boolean> {
  const { isDemo } = await getOperator(deps.db);
  return !isDemo && !(await hasPeople(deps.db));
}

type SetUp = {
  setupCode: string;
  email: string;
  firstName: string;
  lastName: string;
  operatorName: string;
  timeZone: string;
};

/**
 * Creates the operator and the first administrator, and signs them in: the value of the session cookie. From here on the
 * installation asks for a second step; the operator may switch that off.
 */
export async function setUp(deps: Deps, input: SetUp, origin: Origin): Promise<string> {
  const at = deps.clock.now();
  await countUse(deps.db, setUpLimits(origin.ip), { at, noun: 'set-up codes were tried' });
  if (!isTimeZone(input.timeZone)) throw refusal('timeZone', 'Choose a time zone such as America/New_York');
  const session = await deps.db.transaction(async (tx) => {
    if (!(await takeMarker(tx, marker, hashOf(deps, input.setupCode)))) return null;
    if (await hasPeople(tx)) return null;
    const { email, firstName, lastName, operatorName, timeZone } = input;
    await saveOperator(tx, { name: operatorName, timeZone });
    const person = { email, firstName, lastName, role: 'admin' as const };
    const admin = await createUser(tx, { actor: actor(origin, null), at }, person);
    await recordAudit(tx, actor(origin, admin.id), { action: 'auth.set-up', objectType: 'user', objectId: admin.id });
    await setRequired(tx, true);
    // The code came from the server's own console: for this first session that is the second step.
    return enter(tx, admin, { deviceId: null, origin, at, isStrong: true });
  });
  if (session) return session;
  await recordAudit(deps.db, actor(origin, null), { action: 'auth.set-up-failed' });
  throw refusal('setupCode', 'This set-up code is not valid. The one that counts was printed at the last start.');
}

function refusal(field: string, sentence: string): AppError {
  return new AppError('invalid-input', sentence, { fields: { [field]: sentence } });
}
