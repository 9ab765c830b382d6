import type { TestMessage } from '../../contract/settings.ts';
import { AppError } from '../../domain/errors.ts';
import { countUse, isSetUp, notSetUpSentence, sendTrial } from '../auth/service.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { findUser } from '../people/service.ts';

/** By each way: whoever mends one of them may still try the other. */
const most = { max: 5, windowMs: 3_600_000 };

/** Sends a message to whoever asks, at once and with what mail server or gateway say to it: a code that does not come says nothing. */
export async function sendTestMessage(deps: Deps, caller: Caller, channel: 'email' | 'sms'): Promise<TestMessage> {
  const user = await findUser(deps.db, caller.userId);
  const sentTo = (channel === 'email' ? user?.email : user?.phoneNumber) ?? null;
  // Nothing goes out, whatever number is kept: no failure, but what is left to set.
  if (!isSetUp(deps.env, channel)) return { sentTo, problem: notSetUpSentence(channel), isSetUp: false };
  if (!sentTo) throw new AppError('conflict', 'No phone number is kept for you. Add it under Admin Dashboard first.');
  const use = { at: deps.clock.now(), noun: 'test messages were sent' };
  await countUse(deps.db, [{ key: `test-message:${channel}:${caller.userId}`, ...most }], use);
  return { sentTo, problem: await sendTrial(deps.env, sentTo), isSetUp: true };
}
