import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CameraScan } from './camera-scan.tsx';

/** A camera with or without a light, and what was asked of it. */
function fakeCamera({ torch, refuses = false }: { torch: boolean | null; refuses?: boolean }) {
  const asked: unknown[] = [];
  const stop = vi.fn();
  const track = {
    stop,
    ...(torch === null ? {} : { getCapabilities: () => ({ torch }) }),
    applyConstraints: async (wish: unknown) => {
      asked.push(wish);
      if (refuses) throw new DOMException('in use', 'NotReadableError');
    },
  };
  const stream = { getTracks: () => [track], getVideoTracks: () => [track] };
  const getUserMedia = vi.fn(async () => stream);
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
  return { asked, stop, getUserMedia };
}

/** The browser's own reader, which sees one code in every picture. */
class FakeDetector {
  static getSupportedFormats = async () => ['ean_13', 'ean_8', 'upc_a', 'code_128', 'qr_code'];
  detect = async () => [{ rawValue: '4006381333931' }];
}

beforeEach(() => {
  vi.stubGlobal('BarcodeDetector', FakeDetector);
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  // jsdom knows no media streams.
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', { configurable: true, writable: true, value: null });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'mediaDevices');
});

const open = (onCode = vi.fn()) => render(<CameraScan onCode={onCode} onClose={vi.fn()} />);

test('the light is turned on and off again where the phone has one', async () => {
  const { asked } = fakeCamera({ torch: true });
  open();
  fireEvent.click(await screen.findByRole('button', { name: 'Turn the light on' }));
  const lit = await screen.findByRole('button', { name: 'Turn the light off' });
  expect(lit.getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(lit);
  const dark = await screen.findByRole('button', { name: 'Turn the light on' });
  expect(dark.getAttribute('aria-pressed')).toBe('false');
  expect(asked).toEqual([{ advanced: [{ torch: true }] }, { advanced: [{ torch: false }] }]);
});

test('a light that does not come on is not said to be on', async () => {
  const { asked } = fakeCamera({ torch: true, refuses: true });
  open();
  fireEvent.click(await screen.findByRole('button', { name: 'Turn the light on' }));
  await expect.poll(() => asked).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Turn the light on' }).getAttribute('aria-pressed')).toBe('false');
});

test.each([
  ['says it has no light', false],
  ['says nothing of a light', null],
])('a camera that %s has no button for it, and is let go at the end', async (_, torch) => {
  const seen = vi.fn();
  const { stop } = fakeCamera({ torch });
  const { unmount } = open(seen);
  await expect.poll(() => seen.mock.calls.at(-1)).toEqual(['4006381333931']);
  expect(screen.queryByRole('button', { name: /light/ })).toBeNull();
  unmount();
  await expect.poll(() => stop.mock.calls.length).toBeGreaterThan(0);
});

test('a camera that is not allowed says what to do instead', async () => {
  const { getUserMedia } = fakeCamera({ torch: null });
  getUserMedia.mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  open();
  expect((await screen.findByRole('alert')).textContent).toMatch(/Allow it in the browser, or type the barcode/);
});
