import { type Random, randomOf } from '../simulator/random.ts';
import type { Fault } from './vendor.ts';

/** Faults that wait for their call; the oldest that matches is played first. */
export type FaultBoard = {
  queue: (fault: Fault) => void;
  /** Takes one play of the oldest fault that fits. */
  take: (system: string, call: string, accepts: (kind: string) => boolean) => Fault | null;
  list: () => readonly Fault[];
  clear: () => void;
};

export function createFaultBoard(seed: number): FaultBoard {
  let waiting: Fault[] = [];
  const random = randomOf(seed, 71);
  return {
    queue: (fault) => void waiting.push({ ...fault }),
    take: (system, call, accepts) => {
      const found = waiting.find(
        (fault) => fault.system === system && accepts(fault.kind) && isCall(fault.call, call) && happens(fault, random),
      );
      if (!found) return null;
      found.times -= 1;
      waiting = waiting.filter((fault) => fault.times > 0);
      return found;
    },
    list: () => waiting,
    clear: () => {
      waiting = [];
    },
  };
}

/** `share` plays a fault only now and then: {share: 0.05} hits one call of twenty. */
function happens({ parameters }: Fault, random: Random): boolean {
  return typeof parameters.share !== 'number' || random.chance(parameters.share);
}

/** A pattern is 'GET /api/2.0/sales', or a path alone; `*` stands for any text. */
export function isCall(pattern: string, call: string): boolean {
  if (pattern === call) return true;
  const wanted = /^[A-Z]+ /.test(pattern) || pattern === '*' ? pattern : `* ${pattern}`;
  const escaped = wanted.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(call);
}
