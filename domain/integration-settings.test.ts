import { expect, it } from 'vitest';
import type { SettingsField } from './integration.ts';
import { checkSettings } from './integration-settings.ts';

it('a setting of its full length is taken; one character more is refused by its name', () => {
  const fields: SettingsField[] = [
    { name: 'apiKey', label: 'Sign-in (API key)', kind: 'secret' },
    { name: 'merchantId', label: 'Merchant ID', kind: 'text', maxLength: 100 },
  ];
  const check = (apiKey: number, merchantId: number) =>
    checkSettings({
      fields,
      given: { apiKey: 'k'.repeat(apiKey), merchantId: 'm'.repeat(merchantId) },
      before: {},
      sandboxUrl: null,
    }).errors;
  expect(check(500, 100)).toEqual({});
  expect(check(501, 101)).toEqual({
    apiKey: 'Sign-in is too long: at most 500 characters',
    merchantId: 'Merchant ID is too long: at most 100 characters',
  });
});
