import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import type { Db } from '../db/database.ts';
import type { Clock, Mailer, Message } from '../deps.ts';
import type { Env } from '../env.ts';
import { getOperator } from '../settings/service.ts';
import { keepForDemo } from './outbox.ts';

const timeoutMs = 10_000;

type Parts = { env: Env; db: Db; log: FastifyBaseLogger; clock: Clock };
type Send = (message: Message) => Promise<void>;

/**
 * Sends e-mail by SMTP and text messages by a gateway, each where configured. With neither, messages and their codes go
 * to the log; with only one, a message of the other kind cannot be sent and no code is logged.
 */
export function createMailer({ env, db, log, clock }: Parts): Mailer {
  const email = env.smtpUrl ? bySmtp(env.smtpUrl, env.publicUrl) : null;
  const sms = env.smsGatewayUrl ? byGateway(env.smsGatewayUrl) : null;
  const toLog: Send = async ({ channel, to, text }) => {
    if (email || sms) log.warn({ channel }, 'no way to send this kind of message is configured');
    else log.info({ channel, to, text }, 'message');
  };
  const ways: Record<Message['channel'], Send> = { email: email ?? toLog, sms: sms ?? toLog };
  const send: Send = async (message) => {
    const { isDemo } = await getOperator(db);
    if (isDemo) await keepForDemo(db, message, clock.now());
    await ways[message.channel](message);
  };
  return {
    // Whoever asked has their answer already. The error's text may hold the contact or the code: only its code is kept.
    send: (message) =>
      send(message).catch((error: unknown) =>
        log.error({ channel: message.channel, reason: reasonOf(error) }, 'message not sent'),
      ),
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof GatewayError) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const status = 'responseCode' in error ? ` ${String(error.responseCode)}` : '';
  return `${code}${status}`;
}

/** `?from=` in SMTP_URL names the sender; without it the user's address, or no-reply at the public host. */
function bySmtp(smtpUrl: string, publicUrl: string | null): Send {
  const url = new URL(smtpUrl);
  const user = decodeURIComponent(url.username);
  const host = publicUrl ? new URL(publicUrl).hostname : 'localhost';
  const from = url.searchParams.get('from') ?? (user.includes('@') ? user : `no-reply@${host}`);
  url.searchParams.delete('from');
  const transport = createTransport({
    url: url.href,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  return async ({ to, subject, text }) => {
    await transport.sendMail({ from: { name: 'Milkrun', address: from }, to, subject: subject ?? 'Milkrun', text });
  };
}

class GatewayError extends Error {}

/** A form POST with `to` and `text`; a user and password in the address become basic authentication. */
function byGateway(gatewayUrl: string): Send {
  const url = new URL(gatewayUrl);
  const login = url.username ? `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` : null;
  url.username = '';
  url.password = '';
  const headers: Record<string, string> = login
    ? { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
    : {};
  return async ({ to, text }) => {
    const reply = await fetch(url, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ to, text }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    await reply.body?.cancel();
    if (!reply.ok) throw new GatewayError(`gateway answered ${reply.status}`);
  };
}
