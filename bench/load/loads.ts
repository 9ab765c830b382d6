import type { Env } from '../../server/env.ts';
import { bulk } from './bulk.ts';
import { overload } from './overload.ts';
import { steady } from './steady.ts';

type Load = (env: Env, wish: { minutes: number; say: (line: string) => void }) => Promise<boolean>;
type Wish = { minutes: number | null; say: (line: string) => void };

const lasting =
  (usualMinutes: number, load: Load) =>
  (env: Env, { minutes, say }: Wish): Promise<boolean> =>
    load(env, { minutes: minutes ?? usualMinutes, say });

/** Loads of many people at once: each only when named, on a machine with nothing else to do. */
export const loads: Record<string, (env: Env, wish: Wish) => Promise<boolean>> = {
  steady: lasting(30, steady),
  bulk: lasting(2, bulk),
  overload: lasting(1, overload),
};
