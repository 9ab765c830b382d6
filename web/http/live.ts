import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent, LiveTopic } from '../../contract/sync.ts';
import type { Hands, Tabs, Told } from './tabs.ts';

/** Which lists show a topic: the beginnings of their paths. */
const pathsOf: Record<LiveTopic, readonly string[]> = {
  markets: [
    '/api/markets',
    '/api/locations',
    '/api/inventory/page',
    '/api/inventory/summary',
    '/api/route-designations',
    '/api/dashboard',
    '/api/location-inventory',
    '/api/scheduled-routes',
    '/api/integration/sync',
    '/api/admin',
  ],
  machines: [
    '/api/vending-machines',
    '/api/locations',
    '/api/route-designations',
    '/api/dashboard',
    '/api/scheduled-routes',
    '/api/integration/sync',
    '/api/admin',
  ],
  stock: [
    '/api/inventory',
    '/api/vending-inventory',
    '/api/vending-machine-inventory',
    '/api/vending-machines',
    '/api/markets/with-inventory',
    '/api/location-inventory',
    '/api/locations/page',
    '/api/locations/counts',
    '/api/location-stock',
    '/api/dashboard',
    '/api/scheduled-routes',
    '/api/field-day',
    '/api/location-need',
    '/api/visits',
    '/api/admin/inventory',
    '/api/admin/overview',
  ],
  alerts: ['/api/vending-machine-alerts', '/api/dashboard/exceptions', '/api/stock-review'],
  routes: [
    '/api/needs',
    '/api/location-need',
    '/api/routes',
    '/api/route-choices/taken',
    '/api/scheduled-routes',
    '/api/dashboard',
    '/api/field-day',
    '/api/day-ends',
    '/api/picking',
  ],
  sales: ['/api/location-sales', '/api/dashboard', '/api/payment-reports', '/api/reconciliation'],
  products: ['/api/products', '/api/inventory'],
  settings: ['/api/auth/session', '/api/settings', '/api/route-designations', '/api/route-choices'],
  incidents: ['/api/traffic-incidents', '/api/routes', '/api/scheduled-routes', '/api/day-plans'],
  plans: ['/api/day-plans'],
  integrations: [
    '/api/integration',
    '/api/cantaloupe',
    '/api/nayax',
    '/api/moma',
    '/api/nama-vdi',
    '/api/lightspeed',
    '/api/payment-reports',
    '/api/dashboard/exceptions',
  ],
  performance: ['/api/performance'],
  people: [
    '/api/people',
    '/api/route-choices',
    '/api/device-sessions',
    '/api/application-access',
    '/api/admin',
    '/api/audit-log',
  ],
};

const slowestReconnectMs = 30_000;
/** Three beats of the server and a little: a network that changed without a word leaves a stream deaf for many minutes. */
const longestSilenceMs = 50_000;
/** A stream that opened has told by then what changed before it did. */
const settledMs = 1_000;

type Options = {
  client: QueryClient;
  /** Tells others, e.g. the phone's copy, what changed; null: anything may have. */
  onChange: (topic: LiveTopic | null) => void;
  /** Asked when the server closed the stream; leading to the sign-in screen is the asker's business. */
  isSignedIn: () => Promise<boolean>;
  /** Calls `again` whenever the network is back; returns how to stop. */
  onReturn: (again: () => void) => () => void;
  /** Finds the other tabs of this browser. */
  join: (hands: Hands) => Tabs;
};

/** At most one of its kind waits. */
function oneTimer() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  return {
    stop,
    start: (act: () => void, afterMs: number): void => {
      stop();
      timer = setTimeout(act, afterMs);
    },
  };
}

/** Makes the lists that are shown follow what is told. */
function reader(client: QueryClient, onChange: Options['onChange']) {
  return ({ kind, data }: Told): void => {
    if (kind === 'gap') {
      void client.invalidateQueries();
      onChange(null);
    }
    if (kind !== 'message') return;
    const { topic } = JSON.parse(data) as LiveEvent;
    const paths = pathsOf[topic] ?? [];
    void client.invalidateQueries({
      predicate: (query) => paths.some((path) => String(query.queryKey[0]).startsWith(path)),
    });
    onChange(topic);
  };
}

type Ears = { ready: () => void; hear: (told: Told) => void; ended: () => void; lost: () => void };

function openStream(url: string, { ready, hear, ended, lost }: Ears): EventSource {
  const source = new EventSource(url);
  source.addEventListener('ready', ready);
  source.addEventListener('beat', () => hear({ kind: 'beat', data: '' }));
  source.addEventListener('gap', () => hear({ kind: 'gap', data: '' }));
  source.addEventListener('end', ended);
  source.onmessage = ({ data }: MessageEvent<string>) => hear({ kind: 'message', data });
  // A refused stream is closed for good and does not say why; a lost one would try again by itself, without jitter.
  source.onerror = () => (source.readyState === EventSource.CLOSED ? ended() : lost());
  return source;
}

/**
 * One stream of server-sent events. A changed topic makes the open lists of that topic read again; lists nobody looks at
 * are read when somebody does. After a break everything may have changed. One tab keeps the stream for all of a browser;
 * another has its own until it hears the first, and again whenever that one falls silent.
 */
export function startLive({ client, onChange, isSignedIn, onReturn, join }: Options): () => void {
  let source: EventSource | null = null;
  const [retry, silence, asking] = [oneTimer(), oneTimer(), oneTimer()];
  let failures = 0;
  let mayHaveMissed = false;
  let isReady = false;
  /** The first tab is heard: the stream of this one is closed. */
  let isAside = false;
  const take = reader(client, onChange);
  let isStopped = false;

  const close = (): void => {
    silence.stop();
    source?.close();
  };
  const reconnect = (): void => {
    close();
    mayHaveMissed = true;
    failures += 1;
    retry.start(connect, Math.min(slowestReconnectMs, 1000 * 2 ** failures) * (0.5 + Math.random() / 2));
  };
  /** Ended by the server: it restarts, or the session is over and knocking again would go on for ever. */
  const ended = async (): Promise<void> => {
    const own = source;
    close();
    if ((await isSignedIn()) && !isStopped && source === own) reconnect();
  };
  /**
   * A stream outlives the signal for minutes, deaf or not, and what it told meanwhile was asked for in vain: it is opened
   * anew at once.
   */
  const again = (): void => {
    retry.stop();
    close();
    mayHaveMissed = true;
    failures = 0;
    connect();
  };
  const heard = (): void => silence.start(again, longestSilenceMs);
  const hear = (told: Told): void => {
    heard();
    take(told);
    if (tabs.isFirst()) tabs.tell(told);
  };
  const tabs = join({
    onTold: (told) => {
      heard();
      take(told);
      // What a stream that is not open yet will tell nobody else tells.
      if (told.kind !== 'beat' || !isReady) return;
      isAside = true;
      source?.close();
    },
    onFirst: () => (isAside ? again() : undefined),
  });
  const connect = (): void => {
    heard();
    asking.stop();
    [isAside, isReady] = [false, false];
    // The screen's lists were asked for before this: the server tells what changed since the page was opened.
    source = openStream(mayHaveMissed ? '/api/events' : `/api/events?age=${Math.ceil(performance.now())}`, {
      ready: () => {
        hear({ kind: mayHaveMissed ? 'gap' : 'beat', data: '' });
        [isReady, mayHaveMissed, failures] = [true, true, 0];
        if (!tabs.isFirst()) asking.start(tabs.ask, settledMs);
      },
      hear,
      ended: () => void ended(),
      lost: reconnect,
    });
  };

  connect();
  const stopHearing = onReturn(again);
  return () => {
    isStopped = true;
    stopHearing();
    retry.stop();
    asking.stop();
    tabs.leave();
    close();
  };
}
