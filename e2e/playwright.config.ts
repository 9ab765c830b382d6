import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './journeys',
  testMatch: '*.spec.ts',
  // The browser looks at its free space every half a minute: a full phone is for the long run.
  testIgnore: process.env.MILKRUN_LONG ? [] : ['full-phone.spec.ts'],
  // A journey leaves a core idle while its browser waits. A server that was named is one.
  workers: process.env.MILKRUN_ADDRESS ? 1 : 2,
  fullyParallel: false,
  // A second try on a busy machine; the report names what needed it.
  retries: 1,
  // Limits for what hangs: how long a journey takes measures the machine.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  globalSetup: './start-server.ts',
  outputDir: '../test-results/journeys',
  use: { actionTimeout: 30_000, trace: 'on-first-retry', screenshot: 'only-on-failure' },
});
