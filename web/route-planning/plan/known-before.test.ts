import { expect, it } from 'vitest';
import { usualRules } from '../../../domain/operator-rules.ts';
import { setOperatorRules } from '../../http/operator-rules.ts';
import type { Candidate } from '../places/locations.ts';
import { knownBefore } from './known-before.ts';

const saturday = '2026-11-28';
const place = (name: string, accessHours: string | null) => ({ name, accessHours }) as Candidate;
const shut = (name: string) => place(name, 'Mo-Fr 08:00-17:00');

it('says before anything is planned which doors stay shut on the day', () => {
  const open = [place('Lobby', null), place('Hall', 'Mo-Sa 06:00-20:00'), place('Gate', 'ask at the desk')];
  expect(knownBefore(open, saturday)).toEqual([]);
  expect(knownBefore([...open, shut('Office')], saturday)).toEqual([
    'Office is closed on Nov 28, 2026 (Mo-Fr 08:00-17:00).',
  ]);
  expect(knownBefore([shut('Office')], '2026-11-27')).toEqual([]);
});

it('a door that opens in the night is not closed to those whose work goes on past midnight', () => {
  const atNight = place('Depot gate', 'Su 01:00-04:00');
  expect(knownBefore([atNight], saturday)).toHaveLength(1);
  setOperatorRules({ ...usualRules, workStart: '22:00', workEnd: '06:00' });
  expect(knownBefore([atNight], saturday)).toEqual([]);
  setOperatorRules(undefined);
});

it('tells those of one name and one door in one line', () => {
  expect(knownBefore(['Lobby', 'Lobby', 'A', 'Lobby'].map(shut), saturday)).toEqual([
    'Lobby is closed on Nov 28, 2026 (Mo-Fr 08:00-17:00). So are 2 more of that name.',
    'A is closed on Nov 28, 2026 (Mo-Fr 08:00-17:00).',
  ]);
});

it('names some of many', () => {
  expect(knownBefore(['A', 'B', 'C', 'D'].map(shut), saturday)).toEqual([
    'A is closed on Nov 28, 2026 (Mo-Fr 08:00-17:00).',
    'B is closed on Nov 28, 2026 (Mo-Fr 08:00-17:00).',
    '2 more are closed on that day.',
  ]);
});
