import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { manualPages } from './web/manual/manual-plugin.ts';

// Newer versions of Node have storages of their own, which would stand in the way of the window's and keep nothing.
const ownStorage = '--no-experimental-webstorage';

export default defineConfig({
  test: {
    hookTimeout: 150_000,
    testTimeout: 150_000,
    // A second try on a busy machine; the report names what needed it.
    retry: 1,
    // The machine it is written for has two cores; tests that wait for the database leave room for a third.
    maxWorkers: 3,
    execArgv: process.allowedNodeEnvironmentFlags.has(ownStorage) ? [ownStorage] : [],
    setupFiles: ['server/testing/property-seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          environment: 'node',
          // Nothing is kept between two files, so that they may share what they import.
          isolate: false,
          include: ['{domain,contract,optimizer,connectors,simulator}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          isolate: false,
          globalSetup: ['server/testing/databases/templates.ts'],
          include: ['{server,sandbox}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        plugins: [react(), manualPages()],
        test: {
          name: 'screens',
          environment: 'happy-dom',
          isolate: false,
          setupFiles: ['web/ui/testing.ts'],
          include: ['web/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
