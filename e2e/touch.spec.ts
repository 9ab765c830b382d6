import { expect, type Page, test } from '@playwright/test';
import { openPhone } from './field-phone.ts';
import { auditTouch } from './touch-audit.ts';

async function expectForGloves(hand: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await hand.emulateMedia({ colorScheme });
    await expect.poll(() => auditTouch(hand)).toMatchObject({ small: [], pale: [] });
    const { targets, figures } = await auditTouch(hand);
    expect(targets).toBeGreaterThan(5);
    expect(figures).toBeGreaterThan(5);
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
  await browser.close();
});
