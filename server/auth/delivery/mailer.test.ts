import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../db/database.ts';
import type { Message } from '../../deps.ts';
import { parseEnv } from '../../env.ts';
import { saveOperator } from '../../settings/service.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { createMailer } from './mailer.ts';
import { listOutbox } from './outbox.ts';

const mail: Message = {
  channel: 'email',
  to: 'ann@example.test',
  subject: 'Your code',
  text: '042137 it is.',
  code: '042137',
};
const text: Message = { ...mail, channel: 'sms', to: '+14155550123', subject: null };

onEachDatabase('the mailer', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  /** A mailer with these settings, and what it writes to the log. */
  const mailer = (env: Record<string, string>) => {
    const lines: string[] = [];
    const sink = { write: (line: string): void => void lines.push(line) };
    let now = new Date('2026-03-12T15:00:00Z');
    const clock = { now: () => now };
    const made = createMailer({ env: parseEnv(env), db: database.db, log: pino({ level: 'info' }, sink), clock });
    const wait = (ms: number): void => {
      now = new Date(now.getTime() + ms);
    };
    return { ...made, wait, log: () => lines.join('') };
  };

  it('writes messages to the log when no way to send is set', async () => {
    const { send, log } = mailer({});
    await send(mail);
    expect(JSON.parse(log())).toMatchObject({ level: 30, to: mail.to, text: mail.text });
    expect(await listOutbox(database.db)).toEqual([]);
  });

  it('sends e-mail by SMTP and says nothing of it in the log', async () => {
    const server = await smtpServer();
    const { send, log } = mailer({ SMTP_URL: `smtp://127.0.0.1:${server.port}?from=milkrun@company.example` });
    await send(mail);
    await server.close();
    expect(server.heard()).toContain('MAIL FROM:<milkrun@company.example>');
    expect(server.heard()).toContain('RCPT TO:<ann@example.test>');
    expect(server.heard()).toContain('Subject: Your code');
    expect(server.heard()).toContain('042137 it is.');
    expect(log()).toBe('');
  });

  it('posts text messages to the gateway as a form, with the login of its address', async () => {
    const gateway = await gatewayServer(200);
    const { send, log } = mailer({ SMS_GATEWAY_URL: `http://user:pass@127.0.0.1:${gateway.port}/send?key=1` });
    await send(text);
    await gateway.close();
    expect(gateway.calls).toEqual([
      {
        line: 'POST /send?key=1',
        type: 'application/x-www-form-urlencoded;charset=UTF-8',
        login: `Basic ${Buffer.from('user:pass').toString('base64')}`,
        form: { to: '+14155550123', text: '042137 it is.' },
      },
    ]);
    expect(log()).toBe('');
  });

  it('logs that sending failed, but no code and no contact', async () => {
    const gateway = await gatewayServer(500);
    const { send, log } = mailer({
      SMS_GATEWAY_URL: `http://127.0.0.1:${gateway.port}`,
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    await send(text);
    await send(mail);
    await gateway.close();
    expect(log()).toContain('gateway answered 500');
    expect(log()).toContain('ESOCKET');
    for (const secret of ['042137', '4155550123', 'ann@']) expect(log()).not.toContain(secret);
  });

  it('logs no code of the kind it cannot send when it can send the other', async () => {
    const { send, log } = mailer({ SMTP_URL: 'smtp://127.0.0.1:1' });
    await send(text);
    expect(log()).toContain('no way to send');
    for (const secret of ['042137', '4155550123']) expect(log()).not.toContain(secret);
  });

  it('knows whether mail server and gateway answer, and asks them once a minute', async () => {
    const server = await smtpServer();
    const gateway = await gatewayServer(200);
    const { check, wait } = mailer({
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      SMS_GATEWAY_URL: `http://127.0.0.1:${gateway.port}`,
    });
    await Promise.all([check('email'), check('email'), check('sms')]);
    await Promise.all([server.close(), gateway.close()]);
    expect(server.heard().match(/EHLO/g)).toHaveLength(1);
    expect(gateway.calls).toEqual([]);
    await Promise.all([check('email'), check('sms')]);
    wait(60_000);
    await expect(check('email')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'E-mails are not going out at the moment. Try again in a minute. Use a text message instead.',
    });
    await expect(check('sms')).rejects.toMatchObject({
      message: 'Text messages are not going out at the moment. Try again in a minute. Use your work email instead.',
    });
  });

  it('logs why nothing goes out: whoever asked for a code is told only that it does not', async () => {
    const gateway = await gatewayServer(200);
    await gateway.close();
    const { check, send, log } = mailer({
      SMTP_URL: 'smtp://127.0.0.1:1',
      SMS_GATEWAY_URL: `http://127.0.0.1:${gateway.port}`,
    });
    await expect(check('email')).rejects.toMatchObject({ code: 'unavailable' });
    expect(JSON.parse(log())).toMatchObject({ level: 50, channel: 'email', reason: 'ESOCKET' });
    await send(text);
    expect(log()).toContain('"reason":"ECONNREFUSED"');
  });

  it.each([
    [401, 'refused the sign-in'],
    [404, 'had nothing at the path that is set'],
    [405, 'took no message at the path that is set'],
  ])('promises nothing for a while after the gateway answered %i: it %s; whoever waits is told why', async (status) => {
    const gateway = await gatewayServer(status);
    const { check, deliver, send, wait } = mailer({ SMS_GATEWAY_URL: `http://u:wrong@127.0.0.1:${gateway.port}` });
    await check('sms');
    await send(text);
    const stopped = { message: 'Text messages are not going out at the moment. Try again in a few minutes.' };
    await expect(check('sms')).rejects.toMatchObject(stopped);
    const sentence = `The text message did not go out: the gateway takes nothing from here (gateway answered ${status}). An administrator should look at SMS_GATEWAY_URL.`;
    await expect(deliver(text)).rejects.toMatchObject({ code: 'unavailable', message: sentence });
    wait(5 * 60_000);
    await check('sms');
    await send(text);
    await expect(check('sms')).rejects.toMatchObject(stopped);
    gateway.answer(200);
    await deliver(text);
    await check('sms');
    await gateway.close();
  });

  it.each([
    ['as it was sent', '{"error":"unknown recipient +14155550123"}'],
    ['as it is written', '<p>No subscriber (415) 555-0123</p>'],
  ])('a 404 that names the number, %s, is of this recipient alone', async (_, body) => {
    const gateway = await gatewayServer(404, { body });
    const { check, deliver, log } = mailer({ SMS_GATEWAY_URL: `http://127.0.0.1:${gateway.port}` });
    await expect(deliver(text)).rejects.toThrow(
      'the gateway did not take it (gateway answered 404). Check the address it went to.',
    );
    await check('sms');
    expect(log()).not.toMatch(/555-?0123/);
    await gateway.close();
  });

  it.each([
    ['another number', '{"error":"no route for +14155559999"}'],
    ['a page without end', 'x'.repeat(100_000)],
  ])('a 404 with %s is of the path that is set', async (_, body) => {
    const gateway = await gatewayServer(404, { body });
    const { check, send } = mailer({ SMS_GATEWAY_URL: `http://127.0.0.1:${gateway.port}` });
    await send(text);
    await expect(check('sms')).rejects.toThrow('Try again in a few minutes.');
    await gateway.close();
  });

  it.each([
    [500, {}, 60_000, 'in a minute'],
    [503, { 'retry-after': '120' }, 120_000, 'in a few minutes'],
    [429, {}, 60_000, 'in a minute'],
    [429, { 'retry-after': '7200' }, 5 * 60_000, 'in a few minutes'],
  ])(
    'promises nothing for as long as a gateway that answers %i %j is likely to be so',
    async (status, headers, ms, when) => {
      const gateway = await gatewayServer(status, { headers });
      const { check, send, wait } = mailer({ SMS_GATEWAY_URL: `http://127.0.0.1:${gateway.port}` });
      await send(text);
      wait(ms - 1);
      await expect(check('sms')).rejects.toThrow('not going out at the moment. Try again in a minute.');
      wait(1 - ms);
      await expect(check('sms')).rejects.toThrow(`Try again ${when}.`);
      wait(ms);
      await check('sms');
      await gateway.close();
    },
  );

  it('of two messages on their way at once the one that fails last does not shorten the wait', async () => {
    const gateway = await gatewayServer(401);
    const { check, send, wait } = mailer({ SMS_GATEWAY_URL: `http://127.0.0.1:${gateway.port}` });
    await send(text);
    gateway.answer(500);
    await send(text);
    wait(2 * 60_000);
    await expect(check('sms')).rejects.toThrow('Try again in a few minutes.');
    await gateway.close();
  });

  it('a message that is refused for itself keeps no other back', async () => {
    const gateway = await gatewayServer(422);
    const server = await smtpServer((line) => (/^RCPT/.test(line) ? '550 no such user' : null));
    const { check, deliver } = mailer({
      SMS_GATEWAY_URL: `http://127.0.0.1:${gateway.port}`,
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    });
    await expect(deliver(text)).rejects.toThrow(
      'the gateway did not take it (gateway answered 422). Check the address it went to.',
    );
    await expect(deliver(mail)).rejects.toThrow('the mail server did not take it (EENVELOPE 550)');
    await Promise.all([check('sms'), check('email')]);
    await Promise.all([gateway.close(), server.close()]);
  });

  it('whoever waits is sent to look at the address only where it was the address that was refused', async () => {
    const gateway = await gatewayServer(404);
    const server = await smtpServer((line) => (/^EHLO|^HELO/.test(line) ? '554 not from where you are' : null));
    const { deliver } = mailer({
      SMS_GATEWAY_URL: `http://127.0.0.1:${gateway.port}`,
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    });
    await expect(deliver(text)).rejects.toThrow(
      '(gateway answered 404). An administrator should look at SMS_GATEWAY_URL.',
    );
    await expect(deliver(mail)).rejects.toThrow('An administrator should look at SMTP_URL.');
    await Promise.all([gateway.close(), server.close()]);
  });

  it('a connection that breaks off while a message goes out keeps no other back', async () => {
    const server = net.createServer((socket) => void socket.once('data', () => socket.destroy()));
    const { check, deliver } = mailer({ SMS_GATEWAY_URL: `http://127.0.0.1:${await listening(server)}` });
    await expect(deliver(text)).rejects.toThrow('the gateway takes nothing from here');
    await check('sms');
    await closing(server);
  });

  it('a sender that the mail server does not take stops all e-mails', async () => {
    const server = await smtpServer((line) => (/^MAIL/.test(line) ? '553 not your address' : null));
    const { check, send } = mailer({ SMTP_URL: `smtp://127.0.0.1:${server.port}` });
    await check('email');
    await send(mail);
    await expect(check('email')).rejects.toThrow('E-mails are not going out at the moment.');
    await server.close();
  });

  it('says so where a kind of message is not set up at all', async () => {
    const { check, deliver } = mailer({ SMTP_URL: 'smtp://127.0.0.1:1' });
    await expect(deliver(text)).rejects.toThrow('Text messages are not set up here.');
    await expect(check('sms')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Text messages are not set up here. Use your work email instead.',
    });
    await expect(mailer({}).check('sms')).resolves.toBeUndefined();
  });

  it('keeps the last fifty messages of a demo, newest first', async () => {
    await saveOperator(database.db, { isDemo: true });
    const { send } = mailer({});
    for (let n = 0; n < 55; n += 1) await send({ ...text, text: `message ${n}` });
    const kept = await listOutbox(database.db);
    expect(kept).toHaveLength(50);
    expect(kept[0]).toEqual({
      to: text.to,
      channel: 'sms',
      subject: null,
      text: 'message 54',
      code: '042137',
      at: '2026-03-12T15:00:00.000Z',
    });
    expect(kept[49]?.text).toBe('message 5');
  });

  it('a message of a demo is on the screen for whoever waits for it, also where the gateway takes none', async () => {
    await saveOperator(database.db, { isDemo: true });
    const { check, deliver } = mailer({ SMS_GATEWAY_URL: 'http://127.0.0.1:1' });
    await check('sms');
    await deliver({ ...text, text: 'On the screen' });
    expect((await listOutbox(database.db))[0]?.text).toBe('On the screen');
  });
});

const listening = (server: net.Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

const closing = (server: net.Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** Takes every mail, or answers a line otherwise, and remembers what was said. */
async function smtpServer(otherwise: (line: string) => string | null = () => null) {
  let heard = '';
  const server = net.createServer((socket) => {
    let inData = false;
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => {
      heard += String(chunk);
      if (inData && !heard.endsWith('\r\n.\r\n')) return;
      const starts = !inData && /^DATA/im.test(String(chunk));
      inData = starts;
      socket.write(`${otherwise(String(chunk)) ?? (starts ? '354 go on' : '250 ok')}\r\n`);
    });
    socket.on('error', () => socket.destroy());
  });
  const port = await listening(server);
  return { port, heard: () => heard, close: () => closing(server) };
}

type Said = { body?: string; headers?: Record<string, string> };

async function gatewayServer(first: number, { body: said = 'ok', headers = {} }: Said = {}) {
  let status = first;
  const calls: object[] = [];
  const server = createServer((request, reply) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { 'content-type': type, authorization: login } = request.headers;
      calls.push({
        line: `${request.method} ${request.url}`,
        type,
        login,
        form: Object.fromEntries(new URLSearchParams(body)),
      });
      reply.writeHead(status, { connection: 'close', ...headers }).end(said);
    });
  });
  const port = await listening(server);
  const answer = (next: number): void => {
    status = next;
  };
  return { port, calls, answer, close: () => closing(server) };
}
