import { emailMissing } from '../../../contract/auth.ts';
import { AppError } from '../../../domain/errors.ts';
import { normalisePhone } from '../../people/service.ts';

/** Where a code goes: an e-mail address in small letters, or a phone number as `+` and digits. */
export type Contact = { channel: 'email' | 'sms'; address: string };

type Written = { verificationType: 'email' | 'sms'; email?: string | undefined; phoneNumber?: string | undefined };

/** What a code may be for: signing in, or proving to whoever is signed in that a number is theirs. */
export type CodePurpose = { channel: Contact['channel'] | 'phone'; address: string };

/** The contact as stored and compared; throws `invalid-input` when the one asked for is missing or none. */
export function contactOf({ verificationType, email, phoneNumber }: Written): Contact {
  if (verificationType === 'sms') return { channel: 'sms', address: normalisePhone(required(phoneNumber, phone)) };
  return { channel: 'email', address: required(email, mail).toLowerCase() };
}

const phone = { field: 'phoneNumber', sentence: 'Please enter your phone number' };
const mail = { field: 'email', sentence: emailMissing };

function required(text: string | undefined, { field, sentence }: typeof phone): string {
  if (text) return text;
  throw new AppError('invalid-input', sentence, { fields: { [field]: sentence } });
}

/** Enough to recognise a contact in the audit log, too little to use it. */
export function masked({ channel, address }: Contact): string {
  if (channel === 'sms') return `…${address.slice(-2)}`;
  return `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`;
}
