import { expect, it } from 'vitest';
import type { Answer, Call } from '../../offline/environment.ts';
import { createOffline } from '../../offline/offline.ts';
import { forgetSession, rememberSession } from '../../offline/session.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../../offline/testing/fake-phone.ts';
import { buildChanges, buildProduct } from '../../offline/testing/sample-changes.ts';
import { giveCode, listWaiting, productOfWaiting, sendWaiting } from './waiting-codes.ts';

const code = '5901234123457';
let databases = 0;

/** A phone with one product; `answer` is what the catalogue says to a write, `products` what it has. */
async function startPhone(first: Answer) {
  const calls: Call[] = [];
  const product = buildProduct({ id: 3, barcodes: ['4006381333931'] });
  const catalogue = { answer: first, products: [product] };
  const transport = async (call: Call): Promise<Answer> => {
    if (call.method === 'GET')
      return { outcome: 'answered', body: buildChanges({ reset: true, products: catalogue.products }) };
    calls.push(call);
    return catalogue.answer;
  };
  databases += 1;
  const offline = createOffline(fakeEnvironment(new FakeClock(), transport, `codes-${databases}`));
  await rememberSession(offline, buildSession(1));
  await offline.refresh();
  return { offline, calls, catalogue, product };
}

const toProduct = { code, userId: 1, productId: 3, productName: 'Cola' };
const answered: Answer = { outcome: 'answered', body: {} };

it('with a network the code joins those the product has, and nothing waits', async () => {
  const { offline, calls } = await startPhone(answered);
  expect(await giveCode(offline, toProduct)).toEqual({ outcome: 'sent' });
  // The code alone: others that the product has got since the last download stay.
  expect(calls).toMatchObject([{ method: 'POST', path: '/api/products/3/barcodes', body: { barcode: code } }]);
  expect(await listWaiting(offline, 1)).toEqual([]);
});

it('without a network it waits, is found by a scan, outlives a sign-out, and goes out once for its own person', async () => {
  const { offline, calls, catalogue } = await startPhone({ outcome: 'unreachable' });
  expect(await giveCode(offline, toProduct)).toEqual({ outcome: 'kept' });
  expect(await productOfWaiting(offline, 1, `0${code}`)).toMatchObject({ id: 3 });
  await forgetSession(offline, { isTold: true });
  catalogue.answer = answered;
  await rememberSession(offline, buildSession(2));
  await offline.refresh();
  await sendWaiting(offline, 2);
  expect(calls).toHaveLength(1);
  await rememberSession(offline, buildSession(1));
  await offline.refresh();
  await sendWaiting(offline, 1);
  await sendWaiting(offline, 1);
  expect(calls).toHaveLength(2);
  expect(await listWaiting(offline, 1)).toEqual([]);
});

it('a phone without room says that it could not keep it', async () => {
  const { offline } = await startPhone({ outcome: 'unreachable' });
  const write = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  const full = { ...offline, store: { ...offline.store, write } };
  expect(await giveCode(full, toProduct)).toEqual({
    outcome: 'refused',
    problem: 'This device could not keep that. Free some space, then try again.',
  });
});

it('what the server refuses stays with its sentence, and the next one is sent all the same', async () => {
  const { offline, calls, catalogue } = await startPhone({ outcome: 'unreachable' });
  const made = { code: '96385074', userId: 1, productId: null, productName: 'New bar' };
  await giveCode(offline, toProduct);
  await giveCode(offline, made);
  calls.length = 0;
  catalogue.answer = { outcome: 'refused', status: 409, detail: 'Taken.', isProblem: true, retryAfterMs: null };
  await sendWaiting(offline, 1);
  expect(calls.map(({ path }) => path)).toEqual(['/api/products/3/barcodes', '/api/products']);
  expect(await listWaiting(offline, 1)).toMatchObject([
    { code, problem: 'Taken.' },
    { code: '96385074', problem: 'Taken.' },
  ]);
});

it('a product that was made though the answer was lost is not told as refused; one of another name is', async () => {
  const { offline, catalogue, product } = await startPhone({ outcome: 'unreachable' });
  const made = { code: '96385074', userId: 1, productId: null, productName: 'New bar' };
  await giveCode(offline, made);
  await giveCode(offline, { ...made, code, productName: 'Other bar' });
  catalogue.answer = { outcome: 'refused', status: 409, detail: 'Taken.', isProblem: true, retryAfterMs: null };
  catalogue.products = [
    product,
    buildProduct({ id: 4, name: 'New bar', barcodes: ['96385074'] }),
    buildProduct({ id: 5, name: 'Somebody else', barcodes: [code] }),
  ];
  await sendWaiting(offline, 1);
  expect(await listWaiting(offline, 1)).toMatchObject([{ productName: 'Other bar', problem: 'Taken.' }]);
});
