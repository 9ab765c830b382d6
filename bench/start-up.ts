import { spawn } from 'node:child_process';
import { compare, table } from './measure.ts';

/** Runs a program until it prints the line that it is ready, then ends it. */
function untilReady(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let ready = false;
    child.stdout.on('data', (chunk) => {
      if (!String(chunk).includes('ready')) return;
      ready = true;
      child.kill('SIGTERM');
    });
    child.once('exit', (code) => (ready ? resolve() : reject(new Error(`ended with ${code} before it was ready`))));
  });
}

/** Start of the server on a filled folder against Node opening the same database and answering nothing. */
export async function startUp(folder: string): Promise<string> {
  const env = { ...process.env, MILKRUN_DATA: folder, PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: '' };
  const open = `import('@electric-sql/pglite').then(async ({ PGlite }) => { const db = await PGlite.create(process.env.MILKRUN_DATA + '/database'); await db.query('select 1'); console.log('ready'); process.once('SIGTERM', () => db.close().then(() => process.exit(0))); setInterval(() => {}, 1000); })`;
  const contenders = [
    { name: 'open the database only', call: () => untilReady(['-e', open], env) },
    { name: 'milkrun serve', call: () => untilReady(['dist/server/main.js', 'serve'], env) },
  ];
  return table('Start until ready', contenders, await compare(contenders, { rounds: 3, calls: 1 }));
}
