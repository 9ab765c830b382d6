import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** Runs the engine in a thread of its own: loading tiles and large tables never keep the server waiting. */
type Actor = Record<'matrix' | 'route' | 'locate' | 'status', (question: string) => Promise<string>>;
type Package = { Actor: new (config: string) => Actor };
type Question = { id: number; action: keyof Actor; question: string };

const { main, config } = workerData as { main: string; config: string };
const { Actor: Engine } = createRequire(main)(main) as Package;
const actor = new Engine(config);

parentPort?.on('message', ({ id, action, question }: Question) => {
  actor[action](question).then(
    (answer) => parentPort?.postMessage({ id, answer }),
    (error: unknown) => parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
