import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.ts';

export default defineConfig({
  ...journeys,
  testDir: '.',
  testMatch: ['tour.ts', 'manual-pictures.ts'],
  timeout: 1_200_000,
});
