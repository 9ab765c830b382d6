// npm run tour: pictures of every screen at 390 and 1440 px, light and dark, with the demo operator, into ./tour.
// npm run tour -- --manual: the pictures of docs/manual, made anew.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './install.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
installDependencies();
const { buildChanged } = await import('./build.mjs');
buildChanged();
const chosen = [process.argv.includes('--manual') ? '--grep' : '--grep-invert', 'of the manual'];
const done = spawnSync(
  process.execPath,
  ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/tour.config.ts', '--reporter=list', ...chosen],
  { cwd: root, stdio: 'inherit' },
);
process.exit(done.status ?? 1);
