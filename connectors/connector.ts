import type { IntegrationSystem, Settings, SettingsField, VendorBatch, VendorResource } from '../domain/integration.ts';

/**
 * What a connector is: a manifest, pure functions that turn a vendor's records into `domain/integration` shapes, and
 * pulls that speak to the vendor through the `fetch` they are handed. Retries, limits, time-outs, the circuit breaker,
 * checks of addresses, cursors and storage are the server's: a connector makes one request and reads one answer.
 */
export type Connector = {
  manifest: Manifest;
  /** One call that proves address and credentials. Throws VendorError when they do not hold. */
  testConnection: (context: VendorContext) => Promise<{ detail: string }>;
  /** One page of a resource; present for each of `manifest.resources`. */
  pull: (resource: VendorResource, request: PullRequest, context: VendorContext) => Promise<PullPage>;
  webhook?: WebhookReader;
  /** Only for systems joined by sending the person to the vendor's own sign-in page. */
  oauth?: OAuth;
};

export type Manifest = {
  system: IntegrationSystem;
  label: string;
  /** What is published and what is our own reading of the protocol, in one sentence for the screen. */
  basis: string;
  fields: readonly SettingsField[];
  /** Pulled in this order by a whole sync. */
  resources: readonly VendorResource[];
  /** Minutes between two syncs of a resource by the timetable. */
  everyMinutes: Readonly<Partial<Record<VendorResource, number>>>;
  /** False where the system only remembers a recent window, so that a backfill from a date cannot be promised. */
  backfills: boolean;
};

export type VendorContext = {
  settings: Settings;
  fetch: VendorFetch;
  now: () => Date;
  hash: Hash;
  tokens: Tokens;
  /** Time zone of the operator, for records that carry local times without a zone. */
  timeZone: string;
  /** The base address of the sandbox when this configuration is to use it, else null. */
  sandboxUrl: string | null;
  signal: AbortSignal;
};

export type PullRequest = {
  /** What the page before returned; null at the very first. Any JSON. */
  cursor: unknown;
  /** Reread from here: the overlap of each run, the nightly reread, a backfill. Null: everything the system has. */
  since: Date | null;
};

export type PullPage = {
  /** May come later than where the next page begins, which is then asked for meanwhile. */
  batch: VendorBatch | Promise<VendorBatch>;
  /** Saved together with the page: the next page, or the next run, begins here. */
  cursor: unknown;
  /** False when the system has nothing more now. */
  more: boolean;
};

export type VendorRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
};

/** An answer whose body is already read, at most 10 MB of it. */
export type VendorReply = {
  status: number;
  /** Header by lower-case name. */
  header: (name: string) => string | null;
  bytes: Uint8Array;
  text: () => string;
  /** Throws VendorError 'bad-data' when the body is not JSON. */
  json: () => unknown;
  /** An earlier try of the same request had no whole answer: what it asks for may have been done already. */
  isRepeat?: boolean;
};

/**
 * One request. Network failures, 408, 425, 429 and 5xx are retried inside, obeying Retry-After; what still fails then
 * is thrown as VendorError 'down' or 'rate-limit'. Every other status is returned.
 */
export type VendorFetch = (url: string, request?: VendorRequest) => Promise<VendorReply>;

/** Keyed and plain hashing, handed in because the pure rooms have no crypto. */
export type Hash = {
  sha256: (bytes: Uint8Array) => Uint8Array;
  hmacSha256: (key: Uint8Array, bytes: Uint8Array) => Uint8Array;
  /** Compares in constant time. */
  equal: (a: Uint8Array, b: Uint8Array) => boolean;
  /** 128 random bits as a UUID. */
  uuid: () => string;
};

export type TokenSet = {
  accessToken: string;
  refreshToken: string | null;
  expiresAt: Date | null;
  /** Since when a renewal is asked for whose answer has not come whole: where tokens rotate, this one may be used up. */
  unansweredSince?: Date | null | undefined;
};

/** Access tokens of one configuration, stored encrypted. */
export type Tokens = {
  read: () => Promise<TokenSet | null>;
  /**
   * Renews them, one renewer at a time over all processes: `work` gets what is stored by now (another may have renewed
   * meanwhile: return it unchanged then), and its result is stored before this returns. `keep` stores something before
   * that, for work that may break off. What somebody connected anew meanwhile is not written over.
   */
  renew: (work: Renewal) => Promise<TokenSet>;
};

/** Gets new tokens for the ones stored by now, null where there are none. Throws VendorError where the system refuses. */
export type Renewal = (current: TokenSet | null, keep: (tokens: TokenSet) => Promise<void>) => Promise<TokenSet>;

/** A request as it came in: raw bytes, nothing decoded. */
export type RawRequest = {
  method: string;
  /** What follows the configuration's own address; empty text without. */
  path: string;
  /** In the order sent. */
  query: readonly (readonly [name: string, value: string])[];
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
};

export type WebhookContext = {
  settings: Settings;
  /** Secret settings as they were before the last change, while both are accepted. */
  previousSettings: Settings | null;
  now: () => Date;
  hash: Hash;
  timeZone: string;
};

export type Verdict =
  | { genuine: true; eventId: string | null; eventType: string; signature: string | null }
  | { genuine: false; reason: string };

export type WebhookReader = {
  /** Decides over raw bytes; `eventId` is the vendor's own id of the delivery where it has one. Never throws. */
  verify: (request: RawRequest, context: WebhookContext) => Verdict;
  /** Whole report files come this way: up to 10 MB a message instead of 1. */
  takesFiles?: true;
  /** Reads a delivery found genuine. Throws VendorError 'bad-data' when it cannot be read: it is kept for a person. */
  parse: (request: RawRequest, context: WebhookContext) => Delivery;
  /** Asks the system to send its deliveries to this address. Asking again changes nothing. Throws VendorError. */
  register?: (address: string, context: VendorContext) => Promise<void>;
};

export type Delivery = {
  batch: VendorBatch;
  /** The delivery is a hint only: these are pulled now. */
  pull: readonly VendorResource[];
};

export type OAuth = {
  /** Where to send the person's browser. */
  connectUrl: (settings: Settings, wish: { state: string; redirectUri: string; sandboxUrl: string | null }) => string;
  /** Exchanges what came back; values of the query are untrusted. Returned `settings` are stored with the tokens. */
  exchange: (
    query: Readonly<Record<string, string>>,
    redirectUri: string,
    context: VendorContext,
  ) => Promise<{ tokens: TokenSet; settings: Settings }>;
};

export type VendorFailure =
  /** Credentials refused. */
  | 'auth'
  /** The connection was revoked or ran out: a person has to connect again. */
  | 'reconnect'
  /** Credentials hold, but not for this. */
  | 'forbidden'
  | 'rate-limit'
  | 'down'
  /** An answer we cannot read. */
  | 'bad-data'
  /** The address may not be called. */
  | 'address';

/** What went wrong with a vendor. The message is a sentence for a person: what happened, what to do. */
export class VendorError extends Error {
  readonly system: IntegrationSystem;
  readonly kind: VendorFailure;

  constructor(system: IntegrationSystem, kind: VendorFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'VendorError';
    this.system = system;
    this.kind = kind;
  }

  /** Trying again later may help without a person. */
  get retryable(): boolean {
    return this.kind === 'rate-limit' || this.kind === 'down';
  }
}
