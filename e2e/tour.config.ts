import { defineConfig } from '@playwright/test';
import journeys from './playwright.config.ts';

export default defineConfig({ ...journeys, testMatch: 'tour.ts', timeout: 300_000 });
