import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './test-app.ts';

type Contact = { verificationType: 'email'; email: string } | { verificationType: 'sms'; phoneNumber: string };
type Options = { ip?: string; cookie?: string; deviceId?: string };

export const byEmail = (email: string): Contact => ({ verificationType: 'email', email });
export const bySms = (phoneNumber: string): Contact => ({ verificationType: 'sms', phoneNumber });

/** The cookies that a reply sets, by name; an emptied one is ''. */
export function cookiesOf(reply: LightMyRequestResponse): Record<string, string> {
  return Object.fromEntries(reply.cookies.map(({ name, value }) => [name, value]));
}

let network = 0;

/** A person at the sign-in screen of a browser with an address of its own. */
export function browser(test: Pick<TestApp, 'app' | 'sent'>, at: { ip?: string } = {}) {
  network += 1;
  const ip = at.ip ?? `203.0.${Math.floor(network / 250)}.${1 + (network % 250)}`;
  const post = (url: string, payload: object, cookie = '') =>
    test.app.inject({ method: 'POST', url, payload, remoteAddress: ip, headers: cookie ? { cookie } : {} });
  const ask = async (contact: Contact) => {
    const reply = await post('/api/auth/send-verification', contact);
    const challenge = reply.cookies[0];
    return {
      reply,
      challenge: challenge ? `${challenge.name}=${challenge.value}` : '',
      code: test.sent.at(-1)?.code ?? '',
    };
  };
  const verify = (contact: Contact, code: string, { cookie = '', deviceId }: Options = {}) =>
    post('/api/auth/verify-code', { ...contact, code, ...(deviceId ? { deviceId } : {}) }, cookie);
  const signIn = async (contact: Contact, options: Options = {}) => {
    const { challenge, code } = await ask(contact);
    const cookie = options.cookie ? `${challenge}; ${options.cookie}` : challenge;
    return verify(contact, code, { ...options, cookie });
  };
  return { ip, post, ask, verify, signIn };
}

/** A code that is certainly not this one. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
