import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLive } from './live.ts';

/** The browser's stream, driven by hand. */
class FakeSource extends EventTarget {
  static readonly opened: FakeSource[] = [];
  static readonly CLOSED = 2;
  readyState = 0;
  onmessage: ((event: MessageEvent<string>) => void) | null = null;
  onerror: (() => void) | null = null;
  isClosed = false;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.opened.push(this);
  }
  close(): void {
    this.isClosed = true;
  }
}

const newest = (): FakeSource => {
  const source = FakeSource.opened.at(-1);
  if (!source) throw new Error('no stream was opened');
  return source;
};

let stop = (): void => undefined;
beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.opened.length = 0;
  vi.stubGlobal('EventSource', FakeSource);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function start() {
  const client = new QueryClient();
  const onChange = vi.fn();
  const isSignedIn = vi.fn(async () => true);
  const stopHearing = vi.fn();
  const network = { isBack: (): void => undefined };
  const onReturn = (again: () => void) => {
    network.isBack = again;
    return stopHearing;
  };
  stop = startLive({ client, onChange, isSignedIn, onReturn });
  return { client, onChange, isSignedIn, network, stopHearing, invalidate: vi.spyOn(client, 'invalidateQueries') };
}

test('a topic makes its own lists read again and no others', () => {
  const { client, onChange } = start();
  client.setQueryData(['/api/markets', {}], []);
  client.setQueryData(['/api/products', {}], []);
  newest().onmessage?.(new MessageEvent('message', { data: '{"topic":"markets","ids":[1]}' }));
  expect(client.getQueryState(['/api/markets', {}])?.isInvalidated).toBe(true);
  expect(client.getQueryState(['/api/products', {}])?.isInvalidated).toBe(false);
  expect(onChange).toHaveBeenCalledWith('markets');
});

test('after a break everything is read again, after the first opening nothing', async () => {
  const { invalidate } = start();
  newest().dispatchEvent(new Event('ready'));
  expect(invalidate).not.toHaveBeenCalled();
  newest().onerror?.();
  await vi.advanceTimersByTimeAsync(3000);
  expect(FakeSource.opened).toHaveLength(2);
  newest().dispatchEvent(new Event('ready'));
  expect(invalidate).toHaveBeenCalledOnce();
});

test('the first stream says how long the screen has been reading, one after a break does not', async () => {
  start();
  expect(newest().url).toMatch(/^\/api\/events\?age=\d+$/);
  newest().dispatchEvent(new Event('ready'));
  newest().onerror?.();
  await vi.advanceTimersByTimeAsync(3000);
  expect(newest().url).toBe('/api/events');
});

test('a session that ended is not knocked for again', async () => {
  const { isSignedIn } = start();
  isSignedIn.mockResolvedValue(false);
  newest().dispatchEvent(new Event('end'));
  await vi.advanceTimersByTimeAsync(120_000);
  expect(isSignedIn).toHaveBeenCalledOnce();
  expect(FakeSource.opened).toHaveLength(1);
  expect(newest().isClosed).toBe(true);
});

test('a refused stream asks once whether the session lives, and goes on when it does', async () => {
  const { isSignedIn } = start();
  newest().readyState = FakeSource.CLOSED;
  newest().onerror?.();
  await vi.advanceTimersByTimeAsync(3000);
  expect(isSignedIn).toHaveBeenCalledOnce();
  expect(FakeSource.opened).toHaveLength(2);
});

test('with the network back everything is read again, although the stream never broke', () => {
  const { invalidate, network } = start();
  newest().dispatchEvent(new Event('ready'));
  const [deaf] = FakeSource.opened;
  network.isBack();
  expect(deaf?.isClosed).toBe(true);
  expect(FakeSource.opened).toHaveLength(2);
  newest().dispatchEvent(new Event('ready'));
  expect(invalidate).toHaveBeenCalledOnce();
});

test('what a page opened without a network asked in vain is read once its first stream opens', async () => {
  const { invalidate } = start();
  newest().onerror?.();
  await vi.advanceTimersByTimeAsync(3000);
  newest().dispatchEvent(new Event('ready'));
  expect(invalidate).toHaveBeenCalledOnce();
});

test('a stream that ended while the network came back is opened once', async () => {
  const { isSignedIn, network } = start();
  let answer = (_isSignedIn: boolean): void => undefined;
  isSignedIn.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  newest().dispatchEvent(new Event('end'));
  network.isBack();
  answer(true);
  await vi.advanceTimersByTimeAsync(3000);
  expect(FakeSource.opened).toHaveLength(2);
});

test('a stream that falls silent without breaking is opened anew, one that beats is not', async () => {
  const { invalidate } = start();
  newest().dispatchEvent(new Event('ready'));
  for (let beats = 0; beats < 8; beats++) {
    await vi.advanceTimersByTimeAsync(15_000);
    newest().dispatchEvent(new Event('beat'));
  }
  expect(FakeSource.opened).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(51_000);
  expect(FakeSource.opened).toHaveLength(2);
  newest().dispatchEvent(new Event('ready'));
  expect(invalidate).toHaveBeenCalledOnce();
  stop();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(FakeSource.opened).toHaveLength(2);
});

test('a stopped stream hears nothing of the network', () => {
  const { stopHearing } = start();
  stop();
  expect(stopHearing).toHaveBeenCalled();
});
