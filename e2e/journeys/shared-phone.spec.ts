import { expect, test } from '@playwright/test';
import { counts, firstPage, newFolder, openPhone, outbox, saveOneCount } from '../field-phone.ts';
import { openBrowser, signIn } from '../people.ts';

const bag = 'BAG-77120';

test('what a driver left on a phone is delivered as theirs after a colleague signed in on it', async () => {
  const { browser, hand } = await openPhone('shared', signIn);
  const machine = new URL(hand.url()).searchParams.get('id');
  const { person } = await (await hand.request.get('/api/auth/session')).json();
  await browser.route('**/api/sync/events', (route) => route.abort());
  await hand.getByLabel('Cash bag number').fill(bag);
  const saved = await saveOneCount(hand);
  const [first] = await counts(hand);
  expect(JSON.stringify(await outbox(hand))).toContain(bag);
  await hand.goto('/');
  // A message that comes to lie under the pointer stays there.
  await hand.getByRole('button', { name: /Signed in as/ }).press('Enter');
  await expect(hand.getByText(/on this device and (is|are) still delivered after you sign out/)).toBeVisible();
  await hand.getByRole('button', { name: 'Sign out' }).click();
  await expect(hand).toHaveURL(/login/);
  const kept = await outbox(hand);
  expect(kept.map(({ type, status }) => `${type} ${status}`)).toEqual(['sealed unsent', 'sealed unsent']);
  expect(JSON.stringify(kept)).not.toContain(bag);
  await browser.unroute('**/api/sync/events');
  await signIn(hand, 'driver101@demo.milkrun.local');
  await expect.poll(async () => (await outbox(hand)).map(({ status }) => status)).not.toContain('unsent');
  await browser.close();
  const office = await openBrowser(newFolder('office'));
  const desk = await firstPage(office);
  await signIn(desk, 'manager@demo.milkrun.local');
  const { visits } = await (await desk.request.get(`/api/visits?type=vending_machine&id=${machine}`)).json();
  const visit = visits.find((one: { id: string }) => one.id === first?.event.visitId);
  expect(visit.personName).toBe(`${person.firstName} ${person.lastName}`);
  expect(visit.bagNumber).toBe(bag);
  expect(visit.lines).toMatchObject([{ itemId: saved.slotId, ending: saved.quantity }]);
  await office.close();
});
