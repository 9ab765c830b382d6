// npm run dev: the server is rebuilt and restarted when its sources change; the screens come from Vite with hot reload.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './install.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const settleMs = 300;

installDependencies();
let server = null;
let building = false;
let again = false;

async function rebuild() {
  if (building) {
    again = true;
    return;
  }
  building = true;
  const build = spawn(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  await new Promise((resolve) => build.on('exit', resolve));
  if (server) {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
  }
  server = spawn(process.execPath, ['dist/server/main.js', 'serve'], { cwd: root, stdio: 'inherit' });
  building = false;
  if (again) {
    again = false;
    await rebuild();
  }
}

let timer = null;
for (const room of ['domain', 'contract', 'optimizer', 'connectors', 'simulator', 'sandbox', 'server']) {
  watch(path.join(root, room), { recursive: true }, (_event, name) => {
    if (!name || /\.test\.tsx?$/.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(rebuild, settleMs);
  });
}

await rebuild();
const vite = spawn(process.execPath, ['node_modules/vite/bin/vite.js', '--config', 'vite.config.ts'], {
  cwd: root,
  stdio: 'inherit',
});
const stop = () => {
  vite.kill();
  server?.kill('SIGTERM');
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
