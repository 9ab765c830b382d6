import { expect, type Page, test } from '@playwright/test';
import { openPhone } from '../field-phone.ts';
import { settled } from '../people.ts';
import { auditTouch } from '../touch-audit.ts';

async function expectForGloves(hand: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await hand.emulateMedia({ colorScheme });
    // Lists fill while they are looked at.
    const audit = async () => {
      const { targets, figures, ...wrong } = await auditTouch(hand);
      return { ...wrong, isFull: targets > 5 && figures > 5 };
    };
    await expect.poll(audit).toMatchObject({ small: [], pale: [], isFull: true });
  }
}

test('everything a driver touches has 48 px, and every figure stands out by 7:1, by day and by night', async () => {
  const { browser, hand } = await openPhone('gloves');
  await hand.getByRole('region', { name: 'Machine front' }).getByRole('button').first().click();
  await expectForGloves(hand);
  await hand.goto('/mobile-inventory');
  await expect(hand.getByRole('listitem').first()).toBeVisible();
  await expectForGloves(hand);
  await hand.goto('/daily-schedule');
  const routes = hand.getByRole('region', { name: /^Today's Routes/ });
  await routes.getByRole('listitem').getByRole('button').first().click();
  await expect(hand.getByRole('region', { name: /^Stops of/ })).toBeVisible();
  await expectForGloves(hand);
  await hand
    .getByRole('region', { name: /^Stops of/ })
    .getByRole('listitem')
    .last()
    .getByRole('button')
    .first()
    .click();
  await expect(hand.getByRole('heading', { name: /^Stop \d+ of/ })).toBeVisible();
  await hand.waitForLoadState('networkidle');
  await expectForGloves(hand);
  await hand.goto('/picking');
  await hand.getByRole('main').getByRole('button').filter({ hasText: 'stops' }).first().click();
  await expect(hand.getByRole('heading', { name: /^Pick / })).toBeVisible();
  await expectForGloves(hand);
  await browser.close();
});

test('the slot in hand stays in sight above what is open for it, from slot to slot', async () => {
  const { browser, hand } = await openPhone('sight');
  const front = hand.getByRole('region', { name: 'Machine front' });
  const inSight = async () => {
    const chosen = front.locator('button[aria-pressed=true]');
    await expect(chosen).toHaveCount(1);
    const isSeen = (button: Element) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const at = (y: number) => document.elementFromPoint(left + width / 2, y)?.closest('button');
      return [at(top + 4), at(top + height - 4)].every((found) => found === button);
    };
    await expect.poll(() => chosen.evaluate(isSeen)).toBe(true);
  };
  await front.getByRole('button').nth(4).click();
  await hand.getByRole('button', { name: /^One less of/ }).click();
  await inSight();
  await hand.getByRole('button', { name: 'Found, removed and spoiled' }).click();
  await inSight();
  await expect(hand.getByRole('button', { name: 'Save Changes' })).toBeInViewport({ ratio: 1 });
  await hand.getByRole('button', { name: 'Hide found, removed and spoiled' }).click();
  for (let n = 0; n < 8; n += 1) {
    await hand
      .getByRole('button', { name: /^Close / })
      .locator('xpath=ancestor::section[1]')
      .first()
      .evaluate((editor) => {
        const point = (x: number) => ({ bubbles: true, clientX: x, clientY: 600 });
        editor.dispatchEvent(new PointerEvent('pointerdown', point(300)));
        editor.dispatchEvent(new PointerEvent('pointerup', point(100)));
      });
    await inSight();
  }
  await browser.close();
});

test('what the keyboard reaches on a narrow window stands above the bottom bar', async () => {
  const { browser, hand } = await openPhone('keys');
  await settled(hand, '/inventory');
  const isCovered = () => {
    const at = document.activeElement;
    const box = at?.getBoundingClientRect();
    if (!at || !box || at.closest('nav')) return false;
    const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return Boolean(seen?.closest('nav'));
  };
  for (let n = 0; n < 40; n += 1) {
    await hand.keyboard.press('Tab');
    const name = await hand.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    expect(await hand.evaluate(isCovered), `${name}`).toBe(false);
  }
  await browser.close();
});

/** What of a screen is wider than its place, or whose label is: a phone can be set to text twice as large. */
const tooWide = (hand: Page) =>
  hand.evaluate((width) => {
    const all = [...document.querySelectorAll('button, a[href], dt')];
    const cut = all
      .filter((one) => one.getBoundingClientRect().width > 0 && !one.closest('.sr-only, [inert]'))
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
      .map((one) => `${one.textContent}: ${one.scrollWidth} in ${one.clientWidth}`);
    const wide = document.documentElement.scrollWidth - width;
    return wide > 0 ? [...cut, `the screen by ${wide}`] : cut;
  }, hand.viewportSize()?.width ?? 0);

test('a stop and the schedule fit the narrowest phone, also with its text twice as large', async () => {
  const { browser, hand } = await openPhone('large-text');
  await hand.setViewportSize({ width: 360, height: 640 });
  await hand.getByRole('region', { name: 'Machine front' }).getByRole('button').first().click();
  // Two lines would push the steppers up, away from the thumb.
  for (const name of ['Empty slot', 'Full restock']) {
    await expect(hand.getByRole('button', { name })).toHaveCSS('height', '48px');
  }
  const largeText = (size: string) =>
    hand.evaluate((to) => document.documentElement.style.setProperty('text-size-adjust', to), size);
  await hand.goto('/daily-schedule');
  await hand.getByRole('button', { name: /^Go to stop/ }).click();
  const head = hand.getByRole('heading', { name: /^Stop \d+ of/ });
  await expect(head).toBeVisible();
  const height = async () => (await hand.locator('header').filter({ has: head }).boundingBox())?.height;
  const before = await height();
  await browser.setOffline(true);
  await hand.getByRole('button', { name: 'Arrive' }).click();
  await expect(hand.getByText('Saved on this device').first()).toBeVisible();
  expect(await height()).toBe(before);
  expect(await tooWide(hand)).toEqual([]);
  await largeText('200%');
  await expect.poll(() => tooWide(hand)).toEqual([]);
  await hand.getByRole('button', { name: 'Back to the stops' }).click();
  await expect.poll(() => tooWide(hand)).toEqual([]);
  await browser.close();
});
