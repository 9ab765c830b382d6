import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boundTo, nonceBytes, sealKeyPurpose, sealKeyText, tagBytes } from '../../domain/phone-seal.ts';

import { rows } from '../db/database.ts';
import { secretsOf } from '../settings/secrets.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot, buildUser } from '../testing/factories.ts';
import { browser, byEmail, cookiesOf } from '../testing/signing-in.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { phoneSealKey } from './service.ts';

const { subtle } = crypto;
const curve = { name: 'ECDH', namedCurve: 'P-256' };
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
const encode = (text: string) => new TextEncoder().encode(text);

type ServerKey = { id: string; publicKey: string };

/** What a phone does at a sign-out, with the browser's cryptography. */
async function sealer(server: ServerKey, userId: number) {
  const own = await subtle.generateKey(curve, false, ['deriveBits']);
  const point = Buffer.from(await subtle.exportKey('raw', own.publicKey)).toString('base64url');
  const name = sealKeyText({ keyId: server.id, userId, point });
  const theirs = await subtle.importKey('raw', bytes(server.publicKey), curve, false, []);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: theirs }, own.privateKey, 256);
  const base = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encode(sealKeyPurpose(name)) };
  const raw = await subtle.deriveBits(how, base, 256);
  const key = await subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt']);
  const seal = async (event: { eventId: string }, id = event.eventId) => {
    const iv = crypto.getRandomValues(new Uint8Array(nonceBytes));
    const additionalData = encode(boundTo('event', id));
    const made = Buffer.from(
      await subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, encode(JSON.stringify({ event }))),
    );
    const packed = Buffer.concat([iv, made.subarray(-tagBytes), made.subarray(0, -tagBytes)]);
    return { eventId: event.eventId, sealedWith: name, sealed: packed.toString('base64url') };
  };
  return { name, key: Buffer.from(raw).toString('base64url'), seal };
}

onEachDatabase('sealed work of a signed-out person', (open) => {
  let test: TestApp;
  let slotId: number;
  let seq = 0;
  beforeAll(async () => {
    test = await testApp(open);
    // Entitlements count from when a row was made, by the database's own clock.
    test.setNow(new Date(Date.now() + 60_000));
    const machine = await buildMachine(test.deps.db, { routeDesignation: '101' });
    slotId = (await buildSlot(test.deps.db, machine.id, { maxQuantity: 40 })).id;
  });
  afterAll(() => test.close());

  const driver = async () => {
    const email = `${randomUUID()}@example.com`;
    return { email, id: (await buildUser(test.deps.db, { email, routeDesignation: '101' })).id };
  };
  const signIn = async (email: string, deviceId: string) => {
    const cookies = cookiesOf(await browser(test).signIn(byEmail(email), { deviceId }));
    return { credential: `milkrun_device=${cookies.milkrun_device}` };
  };
  const counted = (quantity: number, note: string | null = null) => ({
    eventId: randomUUID(),
    schemaVersion: 1,
    itemType: 'machine_slot',
    itemId: slotId,
    kind: 'count',
    quantity,
    reason: 'manual_count',
    shown: 0,
    note,
    photoIds: [],
    occurredAtClient: test.deps.clock.now().toISOString(),
    deviceSeq: ++seq,
    lastServerTime: null,
  });
  const push = async (cookie: string, deviceId: string, events: unknown[]) => {
    const payload = { deviceId, sentAtClient: test.deps.clock.now().toISOString(), events };
    const reply = await test.app.inject({ method: 'POST', url: '/api/sync/events', headers: { cookie }, payload });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json().results as { status: string; reason: string | null }[];
  };
  const wait = (ms: number) => test.setNow(new Date(test.deps.clock.now().getTime() + ms));
  const movement = (eventId: string) =>
    rows(test.deps.db, sql`select actor_id as "actorId", note from stock_movements where event_id = ${eventId}`);

  it('names one public key to everybody who signs in, and seals its private half', async () => {
    const person = await test.as((await driver()).id);
    const { phoneSeal } = (await person.call('GET', '/api/auth/session')).json();
    expect(phoneSeal).toEqual(await phoneSealKey(test.deps.db, test.deps.secrets));
    const [row] = await rows<{ kept: string }>(test.deps.db, sql`select private_key as kept from phone_seal_keys`);
    expect(row?.kept).toMatch(/^v1\./);
  });

  it('is booked as its owner made it, whoever has signed in on the phone since', async () => {
    const [ann, ben, deviceId] = [await driver(), await driver(), randomUUID()];
    await signIn(ann.email, deviceId);
    wait(60_000);
    const made = counted(7, 'The door sticks');
    const phone = await sealer(await phoneSealKey(test.deps.db, test.deps.secrets), ann.id);
    const sealed = await phone.seal(made);
    wait(60_000);
    const { credential } = await signIn(ben.email, deviceId);
    expect(await push(credential, deviceId, [sealed])).toMatchObject([{ status: 'applied' }]);
    expect(await movement(made.eventId)).toEqual([{ actorId: ann.id, note: 'The door sticks' }]);
    // The answer got lost before the sign-out: open or sealed, it is the same event.
    expect(await push(credential, deviceId, [made, sealed])).toMatchObject([
      { status: 'duplicate' },
      { status: 'duplicate' },
    ]);
  });

  it('gives the key to its owner and to nobody else', async () => {
    const [ann, ben] = [await driver(), await driver()];
    const phone = await sealer(await phoneSealKey(test.deps.db, test.deps.secrets), ann.id);
    const body = { names: [phone.name, phone.name.replace(`.${ann.id}.`, `.${ben.id}.`), 'nonsense'] };
    const ask = async (id: number) =>
      (await (await test.as(id)).call('POST', '/api/phone-seals/keys', { body })).json().keys as (string | null)[];
    expect(await ask(ann.id)).toEqual([phone.key, null, null]);
    // A name with another person in it leads to another key, which opens nothing.
    const [own, renamed] = await ask(ben.id);
    expect(own).toBeNull();
    expect(renamed).not.toBe(phone.key);
  });

  it('waits for a manager where its owner did not hold the phone then', async () => {
    const [ann, ben, deviceId] = [await driver(), await driver(), randomUUID()];
    const { credential } = await signIn(ben.email, deviceId);
    wait(60_000);
    const made = counted(9);
    const phone = await sealer(await phoneSealKey(test.deps.db, test.deps.secrets), ann.id);
    wait(60_000);
    expect(await push(credential, deviceId, [await phone.seal(made)])).toMatchObject([{ status: 'needs_review' }]);
    expect(await movement(made.eventId)).toEqual([]);
  });

  it('is refused and kept when it was damaged, moved to another event or sealed for another installation', async () => {
    const [ann, deviceId] = [await driver(), randomUUID()];
    const { credential } = await signIn(ann.email, deviceId);
    const key = await phoneSealKey(test.deps.db, test.deps.secrets);
    const good = await sealer(key, ann.id);
    const foreign = await sealer({ ...key, id: '0123456789ab' }, ann.id);
    const whole = await good.seal(counted(3));
    const made = counted(3);
    const bad = [
      { ...(await good.seal(counted(3))), sealed: `${whole.sealed.slice(0, -6)}AAAAAA` },
      await good.seal(made, randomUUID()),
      await foreign.seal(counted(3)),
      { ...whole, eventId: randomUUID(), sealedWith: 'p1.not a name' },
    ];
    const results = await push(credential, deviceId, [...bad, counted(4)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected', 'applied']);
    expect(results[0]?.reason).toMatch(/sealed for another installation/);
  });

  it('is sealed for a new key where the old one does not open any more', async () => {
    const before = await phoneSealKey(test.deps.db, test.deps.secrets);
    const other = await phoneSealKey(test.deps.db, secretsOf(['another installation key, thirty-two letters']));
    expect(other.id).not.toBe(before.id);
    expect((await phoneSealKey(test.deps.db, test.deps.secrets)).id).toBe(before.id);
  });

  it('opens after the wrapping keys were changed', async () => {
    const [ann, deviceId] = [await driver(), randomUUID()];
    const { credential } = await signIn(ann.email, deviceId);
    const phone = await sealer(await phoneSealKey(test.deps.db, test.deps.secrets), ann.id);
    await test.deps.secrets.rotate(test.deps.db, test.deps.clock.now());
    wait(60_000);
    expect(await push(credential, deviceId, [await phone.seal(counted(5))])).toMatchObject([{ status: 'applied' }]);
  });
});
