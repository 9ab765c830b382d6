import { once } from 'node:events';
import net from 'node:net';
import type { Message } from '../../deps.ts';

/**
 * A gateway for text messages: a form POST with `to` and `text`, any 2xx is taken as sent. There is no other protocol, so what
 * a refusal means for the next message is read off its status, and of a 404 off its body.
 */

const timeoutMs = 10_000;

/** Whom a refusal is about: one message, its recipient or its text; what is set here; or the gateway as it is just now. */
type Concern = 'message' | 'setting' | 'moment' | 'unknown';

/** No sign-in of ours is known, nothing is taken from it, or there is nothing for messages at the path. */
const ofSetting = [401, 402, 403, 404, 405, 407];
const ofMessage = [400, 413, 422];

export class GatewayError extends Error {
  readonly concern: Concern;
  /** What the gateway asks to wait, as its header says it. */
  readonly retryAfter: string | null;

  constructor({ status, headers }: Response, concern: Concern) {
    super(`gateway answered ${status}`);
    this.concern = concern;
    this.retryAfter = headers.get('retry-after');
  }
}

type Told = Pick<Message, 'to' | 'text'>;

/** A user and password in the address become basic authentication. */
export function byGateway(gatewayUrl: string) {
  const url = new URL(gatewayUrl);
  const login = url.username ? `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` : null;
  url.username = '';
  url.password = '';
  const headers: Record<string, string> = login
    ? { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
    : {};
  const send = async ({ to, text }: Told): Promise<void> => {
    const reply = await fetch(url, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ to, text }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const concern = reply.ok ? null : await concernOf(reply, to);
    if (!reply.bodyUsed) await reply.body?.cancel();
    if (concern) throw new GatewayError(reply, concern);
  };
  return { send, reach: () => reachHost(url) };
}

/**
 * Every message goes to one address, so a 404 is usually of that address, and of all messages. A gateway that has found its way
 * to the recipient and knows none says which one: only then is it of this message alone.
 */
async function concernOf(reply: Response, to: string): Promise<Concern> {
  const { status } = reply;
  if (status === 404) return (await namesNumber(reply, to)) ? 'message' : 'setting';
  if (ofSetting.includes(status)) return 'setting';
  if (ofMessage.includes(status)) return 'message';
  return status === 429 || status >= 500 ? 'moment' : 'unknown';
}

/** More of an answer is not read: a page about a wrong address may be long. */
const mostRead = 16_384;
/** The end of a number tells it as well, written with its country's code or without. */
const tellingDigits = 8;

async function namesNumber(reply: Response, to: string): Promise<boolean> {
  const wanted = to.replace(/\D/g, '').slice(-tellingDigits);
  const told = (await firstText(reply)).replace(/[\s().\-/]/g, '');
  return wanted.length === tellingDigits && told.includes(wanted);
}

async function firstText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length >= mostRead) break;
    }
  } catch {
    // An answer that breaks off has still told its status; what came of it is looked at.
  }
  return text;
}

/** Only the connection: a gateway may take any call for an order. */
async function reachHost({ protocol, hostname, port }: URL): Promise<void> {
  const usual = protocol === 'https:' ? 443 : 80;
  const socket = net.connect({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
  } finally {
    socket.destroy();
  }
}
