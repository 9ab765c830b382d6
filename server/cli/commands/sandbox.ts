import { parseArgs } from 'node:util';
import { startSandbox } from '../../../sandbox/server.ts';
import { isProfile } from '../../../sandbox/world.ts';
import type { Command } from '../command.ts';

const usage = 'sandbox [--port N] [--profile S|M|L|XL] [--seed N]';
const usualPort = 4100;
const dayMs = 86_400_000;

export const sandbox: Command = {
  usage,
  summary: 'runs stand-ins of the five partner systems; point MILKRUN_SANDBOX_URL at it, and never at anything real',
  run: async (args, io) => {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ args, options: { port: text, profile: text, seed: text } });
    const port = Number(values.port ?? usualPort);
    const { profile = 'S' } = values;
    const seed = Number(values.seed ?? 1);
    if (!isProfile(profile) || !Number.isInteger(port) || port < 0 || port > 65_535 || !Number.isInteger(seed)) {
      io.err(`Usage: milkrun ${usage}`);
      return 2;
    }
    const running = await startSandbox({ port, profile, seed, from: new Date(Date.now() - 30 * dayMs) });
    io.out(`The sandbox is ready: ${running.origin}`);
    const stop = (): void => void running.close().then(() => process.exit(0));
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    return 'stay';
  },
};
