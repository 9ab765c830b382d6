import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import { AppError } from '../../../domain/errors.ts';
import type { Db } from '../../db/database.ts';
import type { Clock, Mailer, Message } from '../../deps.ts';
import type { Env } from '../../env.ts';
import { retryAfterMs } from '../../http/outbound/retry-after.ts';
import { getOperator } from '../../settings/service.ts';
import { contactOf } from './contact.ts';
import { byGateway, GatewayError } from './gateway.ts';
import { keepForDemo } from './outbox.ts';

const timeoutMs = 10_000;

type Parts = { env: Env; db: Db; log: FastifyBaseLogger; clock: Clock };
type Send = (message: Message) => Promise<void>;
/** `reach` throws where nothing answers. */
type Way = { send: Send; reach: () => Promise<unknown> };
type Channel = Message['channel'];

/** An answer of mail server or gateway is believed this long, a missing one only long enough to spare them a storm. */
const believedMs = { reached: 60_000, missed: 5_000 };
/**
 * For this long nothing is promised after our sign-in was refused; then the next message shows whether it still is. Messages go to
 * known contacts only, so while it is refused one question in this time can tell whether a contact is known: better than
 * a driver who waits for a code that never comes.
 */
const stoppedMs = 5 * 60_000;
/** A gateway that has trouble or too much to do, and does not say for how long. */
const busyMs = 60_000;

/**
 * Sends e-mail by SMTP and text messages by a gateway, each where configured. With neither, messages and their codes go
 * to the log; with only one, a message of the other kind cannot be sent and no code is logged.
 */
export function createMailer({ env, db, log, clock }: Parts): Mailer {
  const ways = waysOf(env);
  const { email, sms } = ways;
  const toLog: Send = async ({ channel, to, text }) => {
    if (email || sms) log.warn({ channel }, 'no way to send this kind of message is configured');
    else log.info({ channel, to, text }, 'message');
  };
  const stopped = stoppedOf(env);
  const put: Send = async (message) => {
    const { channel } = message;
    const { isDemo } = await getOperator(db);
    if (isDemo) await keepForDemo(db, message, clock.now());
    try {
      await (ways[channel]?.send ?? toLog)(message);
      delete stopped[channel];
    } catch (error) {
      // The error's text may hold the contact or the code: only its code is kept.
      log.error({ channel, reason: reasonOf(error) }, 'message not sent');
      const now = clock.now();
      const pause = pauseMs(error, now);
      // Of messages on their way at once the last to fail does not shorten what another found out.
      if (pause !== null)
        stopped[channel] = new Date(Math.max(now.getTime() + pause, stopped[channel]?.getTime() ?? 0));
      throw new AppError('unavailable', whyNotSent(channel, error), { cause: error, elsewhere: true });
    }
  };
  const stoppedForMs = (channel: Channel): number => (stopped[channel]?.getTime() ?? 0) - clock.now().getTime();
  const tell = (channel: Channel) => (error: unknown) =>
    log.error({ channel, reason: reasonOf(error) }, 'mail server or gateway does not answer as it should');
  const reachable = {
    email: remembered(email, clock, tell('email')),
    sms: remembered(sms, clock, tell('sms')),
  };
  /** With neither, messages go to the log; those of a demo are on the screen as well. */
  const isAnyway = async (): Promise<boolean> => !(email || sms) || (await getOperator(db)).isDemo;
  const notSetUp = (channel: Channel): AppError =>
    new AppError('unavailable', `${nouns[channel]} not set up here. ${others[channel]}`);
  const check = async (channel: Channel): Promise<void> => {
    if (await isAnyway()) return;
    if (!ways[channel]) throw notSetUp(channel);
    const waitMs = stoppedForMs(channel);
    if (waitMs <= 0 && (await reachable[channel]())) return;
    const other = ways[channel === 'email' ? 'sms' : 'email'] ? ` ${others[channel]}` : '';
    const when = waitMs > busyMs ? 'in a few minutes' : 'in a minute';
    const sentence = `${nouns[channel]} not going out at the moment. Try again ${when}.${other}`;
    throw new AppError('unavailable', sentence, { elsewhere: true });
  };
  // Whoever asked has their answer already.
  const send: Send = (message) =>
    put(message).catch((error: unknown) => {
      if (!(error instanceof AppError)) log.error({ channel: message.channel, err: error }, 'message not sent');
    });
  const deliver: Send = async (message) => {
    // It is on the screen or in the log, whatever becomes of it elsewhere.
    if (await isAnyway()) return send(message);
    if (!ways[message.channel]) throw notSetUp(message.channel);
    await put(message);
  };
  return { send, deliver, check };
}

/** Until when nothing is promised. A trial that goes out ends it: whoever mended what is set here need not wait. */
const stoppedBy = new WeakMap<Env, Partial<Record<Channel, Date>>>();

function stoppedOf(env: Env): Partial<Record<Channel, Date>> {
  const stopped = stoppedBy.get(env) ?? {};
  stoppedBy.set(env, stopped);
  return stopped;
}

/** Whether there is a way out for this kind of message at all. */
export const isSetUp = (env: Env, channel: Channel): boolean => waysOf(env)[channel] !== null;

function waysOf({ smtpUrl, smsGatewayUrl, publicUrl }: Env): Record<Channel, Way | null> {
  return {
    email: smtpUrl ? bySmtp(smtpUrl, publicUrl) : null,
    sms: smsGatewayUrl ? byGateway(smsGatewayUrl) : null,
  };
}

/** Which of the ways to send that are set do not answer as they should, by the name of their setting, each with the reason. */
export async function findUnreached(env: Env): Promise<{ setting: string; reason: string }[]> {
  const { email, sms } = waysOf(env);
  const asked = [
    { setting: 'SMTP_URL', way: email },
    { setting: 'SMS_GATEWAY_URL', way: sms },
  ];
  const answers = await Promise.all(
    asked.map(async ({ setting, way }) => {
      try {
        await way?.reach();
        return [];
      } catch (error) {
        return [{ setting, reason: reasonOf(error) }];
      }
    }),
  );
  return answers.flat();
}

/** Sends one message for whoever sets this up. Null where it went out, else why not; throws `invalid-input` for no address. */
export async function sendTrial(env: Env, to: string): Promise<string | null> {
  const { channel, address } = contactOf(
    to.includes('@') ? { verificationType: 'email', email: to } : { verificationType: 'sms', phoneNumber: to },
  );
  const way = waysOf(env)[channel];
  if (!way) return notSetUpSentence(channel);
  const text = 'Milkrun can send messages to this address. There is nothing to do.';
  try {
    await way.send({ channel, to: address, subject: 'Milkrun can send messages', text, code: null });
    delete stoppedOf(env)[channel];
    return null;
  } catch (error) {
    return whyNotSent(channel, error);
  }
}

/** What to set where a kind of message has no way out. */
export const notSetUpSentence = (channel: Channel): string =>
  `${nouns[channel]} not set up here: ${settings[channel]} is not set. Set it to ${wanted[channel]} and start Milkrun again.`;

const wanted: Record<Channel, string> = {
  email: 'your mail server, as in smtps://user:password@mail.example.com',
  sms: 'the address of a gateway for text messages',
};
const settings: Record<Channel, string> = { email: 'SMTP_URL', sms: 'SMS_GATEWAY_URL' };
const nouns: Record<Channel, string> = { email: 'E-mails are', sms: 'Text messages are' };
const others: Record<Channel, string> = { email: 'Use a text message instead.', sms: 'Use your work email instead.' };

/** For whoever waits for the message and may know what is set here. */
function whyNotSent(channel: Channel, error: unknown): string {
  const [noun, way] = channel === 'sms' ? ['text message', 'gateway'] : ['e-mail', 'mail server'];
  const [what, where] = isOfOneMessage(error)
    ? ['did not take it', 'Check the address it went to.']
    : ['takes nothing from here', `An administrator should look at ${settings[channel]}.`];
  return `The ${noun} did not go out: the ${way} ${what} (${reasonOf(error)}). ${where}`;
}

/** What nodemailer tells of a failure: the command that was answered, and with what; without an answer nobody was reached. */
type SmtpFailure = { code?: string; command?: string; responseCode?: number };

/** Whether mail server or gateway refused this message and may take the next. */
function isOfOneMessage(error: unknown): boolean {
  if (error instanceof GatewayError) return error.concern === 'message';
  const { command, responseCode } = error as SmtpFailure;
  return Boolean(responseCode) && (command === 'RCPT TO' || command === 'DATA');
}

/**
 * How long nothing is promised after a failure; null where it says nothing of the next message. What is said of one recipient or
 * one text tells nothing of it, and whoever gave a number that does not exist would shut everybody else out. Whether mail
 * server and gateway can be reached is asked before each message anyway.
 */
function pauseMs(error: unknown, now: Date): number | null {
  if (error instanceof GatewayError) {
    if (error.concern === 'setting') return stoppedMs;
    return error.concern === 'moment' ? Math.min(retryAfterMs(error.retryAfter, now) ?? busyMs, stoppedMs) : null;
  }
  const { code, command, responseCode } = error as SmtpFailure;
  return responseCode && (code === 'EAUTH' || command === 'MAIL FROM') ? stoppedMs : null;
}

/** Whether a way answers, asked anew only when the last answer is old: a look that sends nothing, so that it tells nothing of contacts. */
function remembered(way: Way | null, clock: Clock, onMissed: (error: unknown) => void): () => Promise<boolean> {
  let asked: { answer: Promise<boolean>; untilMs: number } | null = null;
  return () => {
    const nowMs = clock.now().getTime();
    if (asked && nowMs < asked.untilMs) return asked.answer;
    const answer = Promise.resolve(way?.reach()).then(
      () => true,
      (error: unknown) => {
        onMissed(error);
        return false;
      },
    );
    const mine = { answer, untilMs: nowMs + believedMs.reached };
    asked = mine;
    void answer.then((isReached) => {
      if (!isReached) mine.untilMs = clock.now().getTime() + believedMs.missed;
    });
    return answer;
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof GatewayError) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  // `fetch` says only that it failed; why is in the error beneath.
  if (error instanceof TypeError && error.cause instanceof Error) return reasonOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const status = 'responseCode' in error ? ` ${String(error.responseCode)}` : '';
  return `${code}${status}`;
}

/** `?from=` in SMTP_URL names the sender; without it the user's address, or no-reply at the public host. */
function bySmtp(smtpUrl: string, publicUrl: string | null): Way {
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
  return {
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ from: { name: 'Milkrun', address: from }, to, subject: subject ?? 'Milkrun', text });
    },
    reach: () => transport.verify(),
  };
}
