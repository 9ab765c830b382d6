/** What is told to the other tabs of what the stream said. */
export type Told = { kind: 'beat' | 'gap' | 'message'; data: string };

export type Hands = {
  /** Something the first tab heard. */
  onTold: (told: Told) => void;
  /** This tab is the first from now on: the one before was closed. */
  onFirst: () => void;
};

export type Tabs = {
  isFirst: () => boolean;
  tell: (told: Told) => void;
  /** Asks the first tab for a sign of life. */
  ask: () => void;
  leave: () => void;
};

const name = 'milkrun-live';
const beat: Told = { kind: 'beat', data: '' };
const alone: Tabs = { isFirst: () => false, tell: () => {}, ask: () => {}, leave: () => {} };

/**
 * Finds the one tab of this browser that keeps the stream for all: a browser opens six connections to a server over
 * HTTP/1.1, and a seventh tab with a stream of its own would wait for ever. Without locks (plain http on a local network)
 * nobody is first and every tab keeps its own.
 */
export function joinTabs({ onTold, onFirst }: Hands): Tabs {
  if (!globalThis.navigator?.locks || !('BroadcastChannel' in globalThis)) return alone;
  const channel = new BroadcastChannel(name);
  const leaving = new AbortController();
  let isFirst = false;
  let release = (): void => {};
  channel.onmessage = ({ data }: MessageEvent<Told | 'ask'>) => {
    if (data !== 'ask') onTold(data);
    else if (isFirst) channel.postMessage(beat);
  };
  const turn = navigator.locks.request(name, { signal: leaving.signal }, () => {
    isFirst = true;
    onFirst();
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  // Left before its turn came.
  turn.catch(() => {});
  return {
    isFirst: () => isFirst,
    tell: (told) => channel.postMessage(told),
    ask: () => channel.postMessage('ask'),
    leave: () => {
      leaving.abort();
      release();
      channel.close();
    },
  };
}
