// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { saveShown } from './table-file.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a file is there until the browser has had the time to save it, and not for ever', () => {
  vi.useFakeTimers();
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:file');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  const revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  saveShown('changes.json', 'application/json', '{}');
  vi.advanceTimersByTime(10_000);
  expect(revoked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(revoked).toHaveBeenCalledExactlyOnceWith('blob:file');
});
