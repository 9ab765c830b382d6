import { expect, it } from 'vitest';
import { barcodeForms, checkDigit, expandUpcE } from './product.ts';

it.each([
  // A can of 12 oz, and the two examples every manual of the code has.
  ['04963406', '049000006346'],
  ['04252614', '042100005264'],
  ['01234565', '012345000065'],
])('the short UPC %s stands for %s', (short, long) => {
  expect(expandUpcE(short)).toBe(long);
});

it.each([
  ['123453', '01230000045'],
  ['123454', '01234000005'],
])('zeros left out before the end of the maker are put back: %s', (digits, body) => {
  const check = checkDigit(body);
  expect(expandUpcE(`0${digits}${check}`)).toBe(`${body}${check}`);
});

it.each(['04963407', '24963406', '4963406', '0496340X'])('%s is no short UPC', (text) => {
  expect(expandUpcE(text)).toBeNull();
});

it('eight digits may mean either number, other texts only themselves', () => {
  expect(barcodeForms('04963406')).toEqual(['00000004963406', '00049000006346']);
  expect(barcodeForms('049000006346')).toEqual(['00049000006346']);
  expect(barcodeForms(' MR-CASE-1 ')).toEqual(['MR-CASE-1']);
});
