import { afterEach, expect, it } from 'vitest';
import { formatMoney, setOperatorFormats } from './format.ts';

const shared = { timeZone: 'UTC', distanceUnit: 'mi' } as const;
afterEach(() => setOperatorFormats({ ...shared, currency: 'USD' }));

it('money is in the currency of the operator unless another is named', () => {
  expect(formatMoney('1234.5')).toBe('$1,234.50');
  setOperatorFormats({ ...shared, currency: 'EUR' });
  expect(formatMoney('1234.5')).toBe('€1,234.50');
  expect(formatMoney('2', 'GBP')).toBe('£2.00');
});
