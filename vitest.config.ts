import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    hookTimeout: 90_000,
    testTimeout: 60_000,
    // A second try on a busy machine; the report names what needed it.
    retry: 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'rules',
          environment: 'node',
          include: ['{domain,contract,optimizer,simulator}/**/*.test.ts'],
        },
      },
      { extends: true, test: { name: 'server', environment: 'node', include: ['server/**/*.test.ts'] } },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'screens',
          environment: 'happy-dom',
          setupFiles: ['web/ui/testing.ts'],
          include: ['web/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
});
