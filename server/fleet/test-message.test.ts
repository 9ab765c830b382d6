import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('a test message', (open) => {
  const heard: string[] = [];
  let answer = 200;
  const gateway = createServer((request, reply) => {
    request.on('data', (data) => heard.push(String(data)));
    request.on('end', () => reply.writeHead(answer).end());
  });
  let test: TestApp;
  let manager: Person;
  let withoutPhone: Person;

  beforeAll(async () => {
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const { port } = gateway.address() as AddressInfo;
    test = await testApp(open, { SMS_GATEWAY_URL: `http://127.0.0.1:${port}/send` });
    ({ manager, admin: withoutPhone } = await oneOfEachRole(test, '101'));
  });
  afterAll(async () => {
    await test.close();
    gateway.close();
  });

  let people = 0;
  const anAdmin = async (): Promise<Person> => {
    people += 1;
    const phoneNumber = `+1415555010${people}`;
    return test.as((await buildUser(test.deps.db, { role: 'admin', phoneNumber })).id);
  };
  const ask = (person: Person, channel: string) =>
    person.call('POST', '/api/settings/test-message', { body: { channel } });

  it('goes to the number of whoever asks', async () => {
    expect((await ask(await anAdmin(), 'sms')).json()).toEqual({
      sentTo: `+1415555010${people}`,
      problem: null,
      isSetUp: true,
    });
    expect(new URLSearchParams(heard.at(-1)).get('to')).toBe(`+1415555010${people}`);
  });

  it('says what the gateway answered', async () => {
    const admin = await anAdmin();
    answer = 401;
    const refused = await ask(admin, 'sms');
    answer = 200;
    expect(refused.json().problem).toBe(
      'The text message did not go out: the gateway takes nothing from here (gateway answered 401). An administrator should look at SMS_GATEWAY_URL.',
    );
    expect(refused.json().isSetUp).toBe(true);
  });

  it('says what to set where there is no way out, also to whoever has no number', async () => {
    const reply = await ask(await anAdmin(), 'email');
    expect(reply.json()).toMatchObject({ isSetUp: false });
    expect(reply.json().problem).toMatch(
      /^E-mails are not set up here: SMTP_URL is not set\. Set it to your mail server/,
    );
    const bare = await testApp(open);
    const nobody = await bare.as((await buildUser(bare.deps.db, { role: 'admin' })).id);
    expect((await ask(nobody, 'sms')).json()).toMatchObject({ sentTo: null, isSetUp: false });
    await bare.close();
  });

  it('needs a number that is kept', async () => {
    const reply = await ask(withoutPhone, 'sms');
    expect([reply.statusCode, reply.json().detail]).toEqual([
      409,
      'No phone number is kept for you. Add it under Admin Dashboard first.',
    ]);
  });

  it('is sent five times an hour, and to administrators only', async () => {
    const admin = await anAdmin();
    for (let sent = 0; sent < 5; sent += 1) expect((await ask(admin, 'sms')).statusCode).toBe(200);
    const before = heard.length;
    const sixth = await ask(admin, 'sms');
    expect([sixth.statusCode, sixth.json().detail]).toEqual([
      429,
      'Too many test messages were sent. Try again in 60 minutes.',
    ]);
    expect(heard).toHaveLength(before);
    expect((await ask(manager, 'sms')).statusCode).toBe(403);
  });
});
