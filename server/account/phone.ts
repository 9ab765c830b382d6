import { AppError } from '../../domain/errors.ts';
import { consumeCode, countUse, issueCode, phoneCodeLimits, tryCode, verifyLimits } from '../auth/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { confirmPhone, findUser } from '../people/service.ts';
import { getOperator } from '../settings/service.ts';

/**
 * Text messages can be read by others, so a number counts for the sign-in only once its owner has proven it. Waits until
 * the message is out: the number is the person's own, and an administrator sees by it whether the gateway takes any.
 */
export async function sendPhoneCode(deps: Deps, caller: Caller) {
  const at = deps.clock.now();
  const number = await numberOf(deps, caller);
  const { isDemo } = await getOperator(deps.db);
  // Whoever waits for a gateway to be mended still has all their tries when it is; one that may have sent counts.
  await deps.mailer.check('sms');
  const { code, challenge } = await deps.db.transaction(async (tx) => {
    await countUse(tx, phoneCodeLimits({ number, address: caller.address, isDemo }), {
      at,
      noun: 'codes were asked for',
    });
    return issueCode(tx, deps.secrets, { contact: { channel: 'phone', address: number }, userId: caller.userId, at });
  });
  const text = `${code} proves to Milkrun that this number is yours. Did you not ask for it? Then ignore this message.`;
  await deps.mailer.deliver({ to: number, channel: 'sms', subject: null, text, code });
  return challenge;
}

type Given = { challenge: string | null; code: string };

/** The number is the person's from now on; throws `invalid-input` for a wrong or used code. */
export async function confirmPhoneCode(deps: Deps, caller: Caller, { challenge, code }: Given): Promise<void> {
  const at = deps.clock.now();
  const number = await numberOf(deps, caller);
  const { isDemo } = await getOperator(deps.db);
  await countUse(deps.db, verifyLimits(caller.address, isDemo), { at, noun: 'codes were tried' });
  const contact = { channel: 'phone' as const, address: number };
  const tried = challenge ? await tryCode(deps.db, deps.secrets, { contact, challenge, code, at }) : 'wrong-code';
  if (typeof tried === 'string' || tried.userId !== caller.userId) throw wrong(tried === 'too-many-tries');
  const isDone = await deps.db.transaction(
    async (tx) =>
      (await consumeCode(tx, tried.id, at)) && confirmPhone(tx, caller, { id: caller.userId, phoneNumber: number, at }),
  );
  if (!isDone) throw wrong(false);
}

function wrong(isExhausted: boolean): AppError {
  const sentence = isExhausted
    ? 'This code was tried too often. Ask for a new code.'
    : 'This code is not right. Look at the newest message, or ask for a new code.';
  return new AppError('invalid-input', sentence, { fields: { code: sentence } });
}

async function numberOf(deps: Deps, { userId }: Caller): Promise<string> {
  const user = await findUser(deps.db, userId);
  if (user?.phoneNumber) return user.phoneNumber;
  throw new AppError('conflict', 'No phone number is kept for you. Ask an administrator to add it.');
}
