import './styles/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './http/query-client.ts';
import { browserEnvironment } from './offline/browser-environment.ts';
import { listenForInstall } from './offline/kept/install.ts';
import { createOffline } from './offline/offline.ts';
import { OfflineProvider } from './offline/offline-context.tsx';
import { Router } from './router.tsx';
import { screens } from './screens.tsx';
import { dropSecondTaps } from './shell/second-tap.ts';
import { ToastPlace } from './shell/toast-place.tsx';
import { startUpdates } from './shell/updates.ts';

// The schema library would try whether it may make code from text: the content-security policy forbids that and reports it.
const schemaLibrary = '__zod_globalConfig';
Reflect.set(globalThis, schemaLibrary, Object.assign(Reflect.get(globalThis, schemaLibrary) ?? {}, { jitless: true }));

listenForInstall();
dropSecondTaps();
const offline = createOffline(browserEnvironment());
offline.start();
startUpdates(() => !offline.sender.isSending());
// The screen's code comes along while the server is asked who is signed in.
void screens.find((screen) => screen.path === window.location.pathname)?.preload();

const place = document.getElementById('root');
if (!place) throw new Error('the page has no place for the app');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <OfflineProvider offline={offline}>
        <Router />
        <ToastPlace />
      </OfflineProvider>
    </QueryClientProvider>
  </StrictMode>,
);
