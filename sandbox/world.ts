import { type ProfileName, profileNames } from '../simulator/operator/profiles.ts';
import { createClock, type SandboxClock } from './clock.ts';
import { createFaultBoard, type FaultBoard } from './fault-board.ts';
import { type Fleet, fleetOf } from './fleet.ts';
import { isGeneric } from './generic-faults.ts';
import { createJournal, type Journal } from './journal.ts';
import type { Outgoing, SandboxReply, Vendor, World } from './vendor.ts';

export type Options = {
  vendors: readonly Vendor[];
  profile: ProfileName;
  seed: number;
  /** The computer's clock. */
  real: () => Date;
  /** Nothing was sold before this instant; null: as long back as anybody asks. */
  from: Date | null;
};

/** Everything the sandbox knows, shared by all stand-ins and the control surface. */
export type Sphere = {
  options: Options;
  clock: SandboxClock;
  faults: FaultBoard;
  journal: Journal;
  fleet: () => Fleet;
  /** Whether anybody has asked for the fleet yet. */
  isPlanned: () => boolean;
  worldOf: (vendor: Vendor) => World;
  /** The last answer of each vendor to each call, for the fault 'repeat_page'. */
  lastReplies: Map<string, SandboxReply>;
  origin: string;
  reset: () => void;
};

/** A subscriber that takes longer is given up. */
const longestDeliveryMs = 15_000;

export function createSphere(options: Options): Sphere {
  let fleet: Fleet | null = null;
  const states = new Map<string, Map<string, unknown>>();
  const sphere: Sphere = {
    options,
    clock: createClock(options.real),
    faults: createFaultBoard(options.seed),
    journal: createJournal(),
    // Planned at the first question: whoever never asks does not wait for it.
    fleet: () => {
      fleet ??= fleetOf(options.profile, options.seed, options.from ?? new Date(0));
      return fleet;
    },
    isPlanned: () => fleet !== null,
    worldOf: (vendor) => worldOf(sphere, vendor, stateOf(states, vendor.prefix)),
    lastReplies: new Map(),
    origin: '',
    reset: () => {
      fleet = null;
      states.clear();
      sphere.faults.clear();
      sphere.journal.clear();
      sphere.lastReplies.clear();
      sphere.clock.follow();
    },
  };
  return sphere;
}

function stateOf(states: Map<string, Map<string, unknown>>, prefix: string): Map<string, unknown> {
  const state = states.get(prefix) ?? new Map<string, unknown>();
  states.set(prefix, state);
  return state;
}

function worldOf(sphere: Sphere, vendor: Vendor, state: Map<string, unknown>): World {
  const own = (kind: string) => !isGeneric(kind) || (vendor.plays ?? []).includes(kind);
  return {
    get fleet() {
      return sphere.fleet();
    },
    get origin() {
      return sphere.origin;
    },
    seed: sphere.options.seed,
    now: sphere.clock.now,
    fault: (call) => sphere.faults.take(vendor.prefix, call, own),
    deliver: (delivery) => deliver(sphere, vendor.prefix, delivery),
    state,
  };
}

async function deliver(sphere: Sphere, system: string, delivery: Outgoing): Promise<{ status: number; body: string }> {
  const { url, method = 'POST', headers, body } = delivery;
  const at = sphere.clock.now().toISOString();
  const answer = await post(url, { method, headers, body });
  sphere.journal.add({
    at,
    realMs: sphere.options.real().getTime(),
    system,
    direction: 'out',
    method,
    path: url,
    query: '',
    headers,
    body: String(body),
    status: answer.status,
    fault: null,
  });
  return answer;
}

const bodyOf = (body: Outgoing['body']) => (typeof body === 'string' ? body : new Uint8Array(body));

async function post(url: string, request: Omit<Outgoing, 'url'>): Promise<{ status: number; body: string }> {
  try {
    const reply = await fetch(url, {
      method: request.method ?? 'POST',
      headers: request.headers,
      ...(request.method === 'GET' ? {} : { body: bodyOf(request.body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(longestDeliveryMs),
    });
    return { status: reply.status, body: await reply.text() };
  } catch (error) {
    return { status: 0, body: error instanceof Error ? error.message : String(error) };
  }
}

export const isProfile = (name: string): name is ProfileName => profileNames.some((known) => known === name);
