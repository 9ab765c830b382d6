import type { Database } from '../db/database.ts';
import type { Env } from '../env.ts';

export type Finding = {
  state: 'good' | 'warning' | 'broken';
  /** What was found, and what to do where it is not good. */
  message: string;
};

/** What checks look at; `sendTo`: who gets a message to see whether any go out. */
export type Patient = { database: Database; env: Env; now: Date; sendTo?: string | undefined };

export type Check = {
  name: string;
  look: (patient: Patient) => Promise<Finding>;
  /** Repairs what can be repaired without losing anything; says what it did. */
  repair?: (patient: Patient) => Promise<string>;
};

export const good = (message: string): Finding => ({ state: 'good', message });
export const warning = (message: string): Finding => ({ state: 'warning', message });
export const broken = (message: string): Finding => ({ state: 'broken', message });
