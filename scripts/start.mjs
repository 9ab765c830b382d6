// npm start: installs what is missing, builds what changed, then runs the server in this process.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installDependencies } from './install.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

installDependencies();
const { buildChanged } = await import('./build.mjs');
buildChanged();
process.argv = [process.argv[0], path.join(root, 'dist/server/main.js'), 'serve', ...process.argv.slice(2)];
await import(pathToFileURL(path.join(root, 'dist/server/main.js')).href);
