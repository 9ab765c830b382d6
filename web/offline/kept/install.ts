import { useSyncExternalStore } from 'react';

/** Chromium's own event, not in the DOM types: the app may be installed, and a page may ask for it once. */
type InstallEvent = Event & { prompt: () => Promise<unknown> };

let offered: InstallEvent | null = null;
const listeners = new Set<() => void>();

function set(next: InstallEvent | null): void {
  offered = next;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer for later, in place of its own banner. From the start of the page: it comes once. */
export function listenForInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    // Told by its name.
    set(event as InstallEvent);
  });
  window.addEventListener('appinstalled', () => {
    set(null);
    // Browsers that said no to a page often say yes to an installed app.
    void navigator.storage?.persist?.();
  });
}

/** Safari has no offer to make: a person adds the page to the home screen by hand. */
function isOpenInSafari(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
  return isApple && !isInstalled();
}

function isInstalled(): boolean {
  const onApple: Navigator & { standalone?: boolean } = navigator;
  return onApple.standalone === true || window.matchMedia('(display-mode: standalone)').matches;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export type Install = { by: 'button'; ask: () => void } | { by: 'hand' };

const byHand: Install = { by: 'hand' };
const byButton: Install = {
  by: 'button',
  ask: () => {
    const event = offered;
    // An offer works once.
    set(null);
    void event?.prompt().catch(() => undefined);
  },
};

/** How the app can be installed here; null where it is already, or where the browser cannot. */
export function useInstall(): Install | null {
  const hasOffer = useSyncExternalStore(subscribe, () => offered !== null);
  if (hasOffer) return byButton;
  return isOpenInSafari() ? byHand : null;
}
