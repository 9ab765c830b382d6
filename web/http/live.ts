import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent, LiveTopic } from '../../contract/sync.ts';

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
  ],
  machines: ['/api/vending-machines', '/api/locations', '/api/route-designations', '/api/dashboard'],
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
  ],
  alerts: ['/api/vending-machine-alerts', '/api/dashboard/exceptions', '/api/stock-review'],
  routes: [
    '/api/needs',
    '/api/location-need',
    '/api/routes',
    '/api/scheduled-routes',
    '/api/dashboard',
    '/api/field-day',
    '/api/day-ends',
    '/api/picking',
  ],
  sales: ['/api/location-sales', '/api/dashboard', '/api/payment-reports', '/api/reconciliation'],
  products: ['/api/products', '/api/inventory'],
  settings: ['/api/auth/session', '/api/settings', '/api/route-designations'],
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
  ],
  people: ['/api/people', '/api/device-sessions', '/api/application-access', '/api/admin', '/api/audit-log'],
};

const slowestReconnectMs = 30_000;
/** Three beats of the server and a little: a network that changed without a word leaves a stream deaf for many minutes. */
const longestSilenceMs = 50_000;

type Options = {
  client: QueryClient;
  /** Tells others, e.g. the phone's copy, what changed; null: anything may have. */
  onChange: (topic: LiveTopic | null) => void;
  /** Asked when the server closed the stream; leading to the sign-in screen is the asker's business. */
  isSignedIn: () => Promise<boolean>;
  /** Calls `again` whenever the network is back; returns how to stop. */
  onReturn: (again: () => void) => () => void;
};

/**
 * One stream of server-sent events. A changed topic makes the open lists of that topic read again; lists nobody looks at
 * are read when somebody does. After a break everything may have changed.
 */
export function startLive({ client, onChange, isSignedIn, onReturn }: Options): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let mayHaveMissed = false;
  let isStopped = false;

  const everything = (): void => {
    void client.invalidateQueries();
    onChange(null);
  };
  const close = (): void => {
    clearTimeout(silence);
    source?.close();
  };
  const hear = (event: MessageEvent<string>): void => {
    heard();
    const { topic } = JSON.parse(event.data) as LiveEvent;
    const paths = pathsOf[topic] ?? [];
    void client.invalidateQueries({
      predicate: (query) => paths.some((path) => String(query.queryKey[0]).startsWith(path)),
    });
    onChange(topic);
  };
  const reconnect = (): void => {
    close();
    mayHaveMissed = true;
    failures += 1;
    const wait = Math.min(slowestReconnectMs, 1000 * 2 ** failures);
    timer = setTimeout(connect, wait * (0.5 + Math.random() / 2));
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
    clearTimeout(timer);
    close();
    mayHaveMissed = true;
    failures = 0;
    connect();
  };
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(again, longestSilenceMs);
  };
  const connect = (): void => {
    heard();
    // The screen's lists were asked for before this: the server tells what changed since the page was opened.
    source = new EventSource(mayHaveMissed ? '/api/events' : `/api/events?age=${Math.ceil(performance.now())}`);
    source.addEventListener('ready', () => {
      heard();
      if (mayHaveMissed) everything();
      mayHaveMissed = true;
      failures = 0;
    });
    source.addEventListener('beat', heard);
    source.addEventListener('gap', everything);
    source.addEventListener('end', () => void ended());
    source.onmessage = hear;
    // A refused stream is closed for good and does not say why; a lost one would try again by itself, without jitter.
    source.onerror = () => (source?.readyState === EventSource.CLOSED ? void ended() : reconnect());
  };

  connect();
  const stopHearing = onReturn(again);
  return () => {
    isStopped = true;
    stopHearing();
    clearTimeout(timer);
    close();
  };
}
