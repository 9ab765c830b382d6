import { useEffect } from 'react';
import { AppLink } from '../ui/address/app-link.tsx';
import { buttonClass } from '../ui/button.tsx';

export function NotFound() {
  useEffect(() => {
    document.title = '404 Page Not Found · Milkrun';
  }, []);
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
      <h1>404 Page Not Found</h1>
      <p className="text-text-2">There is no screen at this address.</p>
      <AppLink href="/" className={`${buttonClass({ variant: 'primary' })} max-lg:h-12`}>
        Go to Dashboard
      </AppLink>
    </main>
  );
}
