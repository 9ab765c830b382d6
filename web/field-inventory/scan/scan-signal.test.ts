import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** An audio device that remembers what it was told. */
class FakeAudio {
  static made: FakeAudio[] = [];
  readonly currentTime = 5;
  readonly destination = 'speaker';
  readonly tones: { pitch: number; to: unknown; stopsAt: number | null; isStarted: boolean }[] = [];
  constructor() {
    FakeAudio.made.push(this);
  }
  createOscillator() {
    const tone = { pitch: 0, to: null as unknown, stopsAt: null as number | null, isStarted: false };
    this.tones.push(tone);
    return {
      frequency: {
        set value(hz: number) {
          tone.pitch = hz;
        },
      },
      connect: (to: unknown) => {
        tone.to = to;
      },
      start: () => {
        tone.isStarted = true;
      },
      stop: (at: number) => {
        tone.stopsAt = at;
      },
    };
  }
}

const vibrate = vi.fn();

beforeEach(() => {
  vi.resetModules();
  FakeAudio.made = [];
  vibrate.mockClear();
  vi.stubGlobal('AudioContext', FakeAudio);
  vi.stubGlobal('navigator', { ...navigator, vibrate });
});
afterEach(() => vi.unstubAllGlobals());

test('a product found sounds high and buzzes once, a problem low and twice', async () => {
  const { signalScan } = await import('./scan-signal.ts');
  signalScan('found');
  signalScan('problem');
  // One device for all scans: phones have only so many.
  expect(FakeAudio.made).toHaveLength(1);
  const [found, problem] = FakeAudio.made[0]?.tones ?? [];
  expect(found).toMatchObject({ to: 'speaker', isStarted: true, stopsAt: 5.09 });
  expect(found?.pitch).toBeGreaterThan(problem?.pitch ?? 0);
  expect(vibrate.mock.calls).toEqual([[[50]], [[80, 60, 80]]]);
});

test('a phone without sound or buzz stays silent', async () => {
  vi.stubGlobal('AudioContext', undefined);
  vi.stubGlobal('navigator', {});
  const { signalScan } = await import('./scan-signal.ts');
  expect(() => signalScan('found')).not.toThrow();
});
