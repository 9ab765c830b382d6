import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLive } from './live.ts';
import type { Hands } from './tabs.ts';

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
  const tabs = { isFirst: vi.fn(() => false), tell: vi.fn(), ask: vi.fn(), leave: vi.fn() };
  let hands: Hands = { onTold: () => undefined, onFirst: () => undefined };
  const join = (given: Hands) => {
    hands = given;
    return tabs;
  };
  stop = startLive({ client, onChange, isSignedIn, onReturn, join });
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  return { client, onChange, isSignedIn, network, stopHearing, invalidate, tabs, hands };
}

test('who drives with what is read again when settings or people change, and how many routes each has with the routes', () => {
  const { client } = start();
  const [choices, taken] = [
    ['/api/route-choices', {}],
    ['/api/route-choices/taken', {}],
  ];
  const isReadAgain = (topic: string): (boolean | undefined)[] => {
    for (const key of [choices, taken]) client.setQueryData(key, []);
    newest().onmessage?.(new MessageEvent('message', { data: JSON.stringify({ topic, ids: [] }) }));
    return [choices, taken].map((key) => client.getQueryState(key)?.isInvalidated);
  };
  expect(['settings', 'people', 'routes'].map((topic) => isReadAgain(topic)[0])).toEqual([true, true, false]);
  expect(isReadAgain('routes')[1]).toBe(true);
});

test('a topic makes its own lists read again and no others', () => {
  const { client, onChange } = start();
  client.setQueryData(['/api/markets', {}], []);
  client.setQueryData(['/api/products', {}], []);
  newest().onmessage?.(new MessageEvent('message', { data: '{"topic":"markets","ids":[1]}' }));
  expect(client.getQueryState(['/api/markets', {}])?.isInvalidated).toBe(true);
  expect(client.getQueryState(['/api/products', {}])?.isInvalidated).toBe(false);
  expect(onChange).toHaveBeenCalledWith('markets');
});

test.each([
  ['markets', '/api/integration/sync/devices'],
  ['markets', '/api/admin/locations'],
  ['markets', '/api/scheduled-routes'],
  ['machines', '/api/scheduled-routes'],
  ['machines', '/api/integration/sync/devices'],
  ['machines', '/api/admin/overview'],
  ['stock', '/api/admin/inventory'],
])('a change of %s is seen in the list of %s', (topic, path) => {
  const { client } = start();
  client.setQueryData([path, {}], []);
  newest().onmessage?.(new MessageEvent('message', { data: `{"topic":"${topic}","ids":[1]}` }));
  expect(client.getQueryState([path, {}])?.isInvalidated).toBe(true);
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

const told = (topic: string) => ({ kind: 'message' as const, data: `{"topic":"${topic}","ids":[]}` });
const beat = { kind: 'beat' as const, data: '' };

test('the first tab tells the others all it hears', async () => {
  const { tabs } = start();
  tabs.isFirst.mockReturnValue(true);
  newest().dispatchEvent(new Event('ready'));
  newest().onmessage?.(new MessageEvent('message', { data: told('markets').data }));
  newest().onerror?.();
  await vi.advanceTimersByTimeAsync(3000);
  newest().dispatchEvent(new Event('ready'));
  expect(tabs.tell.mock.calls.map(([one]) => one)).toEqual([beat, told('markets'), { kind: 'gap', data: '' }]);
  expect(tabs.ask).not.toHaveBeenCalled();
});

test('a further tab asks for the first once its stream has told what it missed, and goes on by what that one hears', async () => {
  const { tabs, hands, onChange, invalidate } = start();
  newest().dispatchEvent(new Event('ready'));
  expect(tabs.ask).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  expect(tabs.ask).toHaveBeenCalledOnce();
  hands.onTold(beat);
  expect(newest().isClosed).toBe(true);
  hands.onTold(told('markets'));
  expect(onChange).toHaveBeenCalledWith('markets');
  hands.onTold({ kind: 'gap', data: '' });
  expect(invalidate).toHaveBeenCalledTimes(2);
  expect(tabs.tell).not.toHaveBeenCalled();
});

test('a stream that has not opened is waited for: only it tells what this tab missed', () => {
  const { hands } = start();
  hands.onTold(beat);
  expect(newest().isClosed).toBe(false);
});

test('a tab that is alone keeps its stream', async () => {
  start();
  newest().dispatchEvent(new Event('ready'));
  for (let n = 0; n < 10; n++) {
    await vi.advanceTimersByTimeAsync(15_000);
    newest().dispatchEvent(new Event('beat'));
  }
  expect(FakeSource.opened).toHaveLength(1);
  expect(newest().isClosed).toBe(false);
});

test('where the first tab falls silent another opens its own, and closes it when that one is back', async () => {
  const { hands } = start();
  newest().dispatchEvent(new Event('ready'));
  hands.onTold(beat);
  await vi.advanceTimersByTimeAsync(50_000);
  expect(FakeSource.opened).toHaveLength(2);
  newest().dispatchEvent(new Event('ready'));
  expect(newest().isClosed).toBe(false);
  hands.onTold(beat);
  expect(newest().isClosed).toBe(true);
});

test('the tab that becomes the first opens the stream and reads what it may have missed', () => {
  const { hands, tabs, invalidate } = start();
  newest().dispatchEvent(new Event('ready'));
  hands.onTold(beat);
  tabs.isFirst.mockReturnValue(true);
  hands.onFirst();
  expect(FakeSource.opened).toHaveLength(2);
  newest().dispatchEvent(new Event('ready'));
  expect(invalidate).toHaveBeenCalledOnce();
});

test('a tab that stops leaves the others', () => {
  const { tabs } = start();
  stop();
  expect(tabs.leave).toHaveBeenCalledOnce();
});
