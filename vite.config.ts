import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { contractAddresses, pureSchemas } from './web/http/contract-plugin.ts';
import { manualPages } from './web/manual/manual-plugin.ts';
import { usTowns } from './web/map/towns-plugin.ts';
import { firstFiles } from './web/shell/first-files.ts';
import { screenCode } from './web/shell/screen-code-plugin.ts';

export default defineConfig({
  root: 'web',
  publicDir: 'public',
  plugins: [
    contractAddresses(),
    pureSchemas(),
    react(),
    tailwindcss(),
    usTowns(),
    manualPages(),
    screenCode(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: '.',
      filename: 'service-worker.ts',
      registerType: 'prompt',
      injectRegister: false,
      manifest: {
        name: 'Milkrun',
        short_name: 'Milkrun',
        description: 'Route & Inventory Manager',
        start_url: '/',
        display: 'standalone',
        background_color: '#ffffff',
        theme_color: '#0a5b60',
        icons: [
          { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
          { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
          { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        shortcuts: [
          { name: 'Daily Schedule', url: '/daily-schedule' },
          { name: 'Mobile Inventory', url: '/mobile-inventory' },
        ],
      },
      // Quiet as the screens' own build: whoever starts Milkrun the first time reads what it says.
      integration: {
        configureCustomSWViteBuild: (worker) => {
          worker.logLevel = 'warn';
        },
      },
      injectManifest: {
        rollupFormat: 'iife',
        // All of a release: which of it is kept at once and which when it is used, `kept-assets.ts` says.
        globPatterns: ['index.html', 'assets/*.{js,css,woff2,wasm,json}', 'icon-192.png', 'icon.svg'],
        maximumFileSizeToCacheInBytes: 3_000_000,
      },
    }),
  ],
  worker: { format: 'es' },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    sourcemap: false,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    // The map is 1.1 MB, and loaded by the screens that show one.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: firstFiles(import.meta.dirname) } },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/healthz': 'http://127.0.0.1:3000' } },
});
