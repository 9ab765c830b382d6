import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.ts';

export default defineConfig({
  ...journeys,
  workers: 1,
  testDir: '.',
  testMatch: ['tour.ts', 'manual-pictures.ts'],
  timeout: 1_200_000,
});
