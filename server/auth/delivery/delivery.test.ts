import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseEnv } from '../../env.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildUser } from '../../testing/factories.ts';
import { browser, byEmail, bySms, cookiesOf } from '../../testing/signing-in.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { createMailer } from './mailer.ts';

/** What a mail server or a gateway was given, read where it arrived. */
const arrived: string[] = [];
const codeOf = (text: string | undefined): string =>
  /\b(\d{6}) is your Milkrun sign-in code/.exec(text ?? '')?.[1] ?? '';

/** Takes one message after the other, as RFC 5321 has it. */
const mailServer = net.createServer((socket) => {
  let data: string | null = null;
  socket.on('error', () => {});
  socket.write('220 mail.example ESMTP\r\n');
  socket.on('data', (chunk) => {
    for (const line of chunk.toString().split(/(?<=\r\n)/)) {
      if (data !== null && line === '.\r\n') {
        arrived.push(data);
        data = null;
        socket.write('250 taken\r\n');
      } else if (data !== null) data += line;
      else if (line.startsWith('DATA')) {
        data = '';
        socket.write('354 go on\r\n');
      } else if (line.startsWith('QUIT')) socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
    }
  });
});

const gateway = createServer((request, reply) => {
  let text = '';
  request.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  request.on('end', () => {
    const form = new URLSearchParams(text);
    arrived.push(`To: ${form.get('to')}\r\n${form.get('text')}`);
    reply.end('queued');
  });
});

onEachDatabase('a code on its whole way', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    for (const server of [mailServer, gateway]) {
      if (!server.listening) await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    }
    const portOf = (server: net.Server): number => (server.address() as AddressInfo).port;
    test = await testApp(open, {
      SMTP_URL: `smtp://127.0.0.1:${portOf(mailServer)}?from=milkrun@company.example`,
      SMS_GATEWAY_URL: `http://127.0.0.1:${portOf(gateway)}/send`,
    });
    test.deps.mailer = createMailer(test.deps);
  });
  afterAll(() => test.close());

  it.each(['e-mail', 'text message'])('comes by %s, and signs in', async (way) => {
    const person = await buildUser(test.deps.db, {
      email: `code-${Date.now()}@example.test`,
      phoneNumber: `+1415${String(Date.now()).slice(-7)}`,
    });
    const contact = way === 'e-mail' ? byEmail(person.email) : bySms(person.phoneNumber ?? '');
    const from = browser(test);
    const { challenge } = await from.ask(contact);
    const mine = () =>
      arrived.findLast((text) => text.includes(way === 'e-mail' ? person.email : String(person.phoneNumber)));
    await expect.poll(() => codeOf(mine())).toMatch(/^\d{6}$/);
    const entered = await from.verify(contact, codeOf(mine()), { cookie: challenge });
    expect([entered.statusCode, cookiesOf(entered).milkrun_session?.length]).toEqual([200, 43]);
  });

  it('is not promised while the mail server is away, to nobody, and counts for no limit', async () => {
    const person = await buildUser(test.deps.db, { email: `away-${Date.now()}@example.test` });
    const lost = { ...test.deps, env: parseEnv({ SMTP_URL: 'smtp://127.0.0.1:1' }) };
    test.deps.mailer = createMailer(lost);
    const said = async (email: string) => {
      const reply = await browser(test).ask(byEmail(email));
      return [reply.reply.statusCode, reply.reply.json().detail];
    };
    const refusal = [503, 'E-mails are not going out at the moment. Try again in a minute.'];
    for (let n = 0; n < 6; n += 1) expect(await said(person.email)).toEqual(refusal);
    expect(await said('nobody@example.test')).toEqual(refusal);
  });
});

afterAll(() => {
  mailServer.close();
  gateway.close();
});
