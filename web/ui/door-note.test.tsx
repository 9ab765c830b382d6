import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { formatTime } from '../http/format.ts';
import { DoorNote } from './door-note.tsx';

afterEach(cleanup);

const at = (clock: string): string => `2026-03-02T${clock}:00.000Z`;
const textFor = (met: Parameters<typeof DoorNote>[0]): string | null =>
  render(<DoorNote {...met} />).container.textContent;

test('who comes too early reads when the door opens and how long that is', () => {
  const text = textFor({ at: at('13:36'), opensAt: at('14:00'), closesAt: at('20:00') });
  expect(text).toBe(`Opens at ${formatTime(at('14:00'))}: 24 min to wait`);
});

test('who comes too late reads since when it is closed', () => {
  expect(textFor({ at: at('20:01'), opensAt: at('14:00'), closesAt: at('20:00') })).toBe(
    `Closed since ${formatTime(at('20:00'))}`,
  );
});

test.each([
  ['while it is open', { at: at('14:00'), opensAt: at('14:00'), closesAt: at('20:00') }],
  ['where it is always open', { at: at('14:00'), opensAt: null, closesAt: null }],
  ['while nobody knows when that is', { at: null, opensAt: at('14:00'), closesAt: at('20:00') }],
])('nothing is said %s', (_, met) => {
  expect(textFor(met)).toBe('');
});
