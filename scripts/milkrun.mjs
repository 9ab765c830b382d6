#!/usr/bin/env node
// The command line: builds the server when its sources changed, then runs the command. Building is told on stderr only.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installDependencies } from './install.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

const log = console.log;
console.log = console.error;
installDependencies();
const { buildChanged } = await import('./build.mjs');
buildChanged({ output: 2 });
console.log = log;
await import(pathToFileURL(path.join(root, 'dist/server/main.js')).href);
