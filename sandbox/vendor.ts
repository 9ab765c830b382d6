import type { Fleet } from './fleet.ts';

/**
 * One system's stand-in. It is written from the vendor's published protocol alone and shares no code with the connector
 * that speaks to it.
 */
export type Vendor = {
  /** First part of the path, and the system's name on fault board and journal: `/lightspeed/...`. */
  prefix: string;
  /** What a person enters to connect to this stand-in, by the name of the field; shown on the first page and in a demo. */
  credentials?: Readonly<Record<string, string>>;
  /** Calls worth a button for faults on the first page, as the fault board matches them: 'GET /api/2.0/sales'. */
  calls?: readonly string[];
  /** Deliveries that can be asked for by the control surface. */
  pushes?: readonly string[];
  /** Kinds of faults that this vendor plays itself though the board knows how: they wait for `World.fault`. */
  plays?: readonly string[];
  /** How this vendor words a refusal of a generic fault; plain JSON without. */
  refuse?: (status: number, sentence: string) => SandboxReply;
  /** Answers one request; the fault board and the journal stand before it. */
  answer: (request: SandboxRequest, world: World) => Promise<SandboxReply> | SandboxReply;
  /** Sends deliveries that have become due since the last tick, and those asked for by the control surface. */
  push?: (world: World, wish: PushWish | null) => Promise<void>;
};

export type SandboxRequest = {
  method: string;
  /** Without the prefix; begins with a slash. */
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
};

export type SandboxReply = {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
};

export type World = {
  readonly fleet: Fleet;
  /** Where the sandbox is reached, without a slash at the end. */
  readonly origin: string;
  /** The sandbox's own clock; it can be set. */
  now: () => Date;
  readonly seed: number;
  /** Takes a fault queued for this call that no generic play covers, or that `Vendor.plays` keeps for the vendor. */
  fault: (call: string) => Fault | null;
  /** Posts to a subscriber and writes it to the journal; status 0 when nobody answers within 15 s. */
  deliver: (delivery: Outgoing) => Promise<{ status: number; body: string }>;
  /** State of this system; emptied by a reset. */
  state: Map<string, unknown>;
};

export type Fault = { system: string; call: string; kind: string; times: number; parameters: Record<string, unknown> };

export type PushWish = { kind: string; variant: string; parameters: Record<string, unknown> };

export type Outgoing = {
  url: string;
  method?: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
};
