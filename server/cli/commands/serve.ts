import { parseArgs } from 'node:util';
import { parseEnv } from '../../env.ts';
import { keepHeapSmall } from '../../heap.ts';
import { startServer } from '../../start.ts';
import type { Command } from '../command.ts';

/** A stop has ended by then, or never does: calls under way are cut off after 8 seconds, jobs after 5 more. */
const longestStopMs = 15_000;

export const serve: Command = {
  usage: 'serve [--port N] [--role all|web|worker]',
  summary: 'runs the server; npm start ends in it',
  run: async (args, io) => {
    const { values } = parseArgs({ args, options: { port: { type: 'string' }, role: { type: 'string' } } });
    const given = {
      ...(values.port ? { PORT: values.port } : {}),
      ...(values.role ? { MILKRUN_ROLE: values.role } : {}),
    };
    const env = parseEnv({ ...process.env, ...given });
    keepHeapSmall();
    const running = await startServer(env, io.err);
    io.out(`Milkrun is ready: ${env.publicUrl ?? running.address}`);
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), longestStopMs).unref();
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          io.err(`The server did not stop cleanly: ${String(error)}`);
          process.exit(1);
        },
      );
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    return 'stay';
  },
};
