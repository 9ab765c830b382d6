import type { FastifyBaseLogger } from 'fastify';
import type { Connector } from '../connectors/connector.ts';
import type { RoadDistance } from '../domain/far-place.ts';
import type { IncidentCircle, KnownLine } from '../domain/incident-effect.ts';
import type { Point } from '../domain/location.ts';
import type { InitialRoute, Problem, Solution, SolveProgress } from '../optimizer/index.ts';
import type { Database, Db } from './db/database.ts';
import type { Env } from './env.ts';
import type { FindPoint } from './geocoding/service.ts';
import type { GuardedFetch, MayCall } from './http/outbound/outbound.ts';
import type { LiveHub } from './live/hub.ts';
import type { Source, TravelMatrix, Way, Wish } from './roads/engines/provider.ts';
import type { Secrets } from './settings/secrets.ts';
import type { Watch } from './watch/watch.ts';

/** The instant now; tests hand in one they move. */
export type Clock = { now: () => Date };

export type Message = {
  to: string;
  channel: 'email' | 'sms';
  subject: string | null;
  text: string;
  code: string | null;
};

export type Mailer = {
  /** Sends a message in the background; a failure is logged, never shown to whoever asked. */
  send: (message: Message) => Promise<void>;
  /** Sends a message that somebody waits for who knows its address anyway; throws `unavailable`, in words, where it did not go out. */
  deliver: (message: Message) => Promise<void>;
  /**
   * Throws `unavailable` while nobody can be sent a message of this kind, asked before one is promised: nothing answers, or
   * the last message was refused for what is set here.
   */
  check: (channel: Message['channel']) => Promise<void>;
};

/** Solves a route problem away from the request thread; see optimizer/index.ts for the shapes. */
export type SolverPool = {
  solve: (problem: Problem, options: SolveOptions) => Promise<Solution>;
  close: () => Promise<void>;
};
export type SolveOptions = {
  timeLimitMs: number;
  seed?: number;
  initial?: readonly InitialRoute[];
  signal?: AbortSignal;
  /** Told of each better plan. */
  onProgress?: (progress: SolveProgress) => void;
};

/** Travel by road, or its estimate where no engine is set or answers; see roads/engines/provider.ts for the shapes. */
export type Roads = {
  matrix: (points: readonly Point[], wish?: Partial<Wish>) => Promise<TravelMatrix>;
  /** The same from what is stored and the estimate, without asking an engine: for use within a transaction. */
  knownMatrix: (tx: Db, points: readonly Point[]) => Promise<TravelMatrix>;
  route: (points: readonly Point[], wish?: Partial<Wish>) => Promise<Way>;
  /** The stored courses of the roads between any two points, to tell what incidents cost them; asks no engine. */
  knownLines: (from: Db, points: readonly Point[], circles: readonly IncidentCircle[]) => Promise<KnownLine[]>;
  /** How far points are from the nearest road. */
  roadKm: (points: readonly Point[]) => Promise<RoadDistance[]>;
  /** What is asked for distances, whether it answers or not. */
  source: () => Promise<Source>;
  /** Names the engine and its map: of another one other answers come. */
  version: () => Promise<string>;
  close: () => Promise<void>;
};

/** `credentials`: what a person enters to connect each stand-in, by system and field. */
export type DemoSandbox = {
  origin: string;
  credentials: Record<string, Record<string, string>>;
  close: () => Promise<void>;
};

/** Everything the features need, passed and never global. */
export type Deps = {
  env: Env;
  database: Database;
  db: Db;
  clock: Clock;
  log: FastifyBaseLogger;
  mailer: Mailer;
  live: LiveHub;
  secrets: Secrets;
  /** The only way to call an address that a user entered. */
  outbound: GuardedFetch;
  /** Whether it may be called, asked when it is entered. */
  mayCall: MayCall;
  /** The partner systems that can be connected. */
  connectors: readonly Connector[];
  /** Stand-ins of the partner systems, which run beside a demo only. */
  sandbox?: DemoSandbox | null;
  solver: SolverPool;
  roads: Roads;
  /** Where an address is; null: no address search is set up. */
  findPoint: FindPoint | null;
  watch: Watch;
};
