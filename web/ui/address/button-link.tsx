import type { ReactNode } from 'react';
import { buttonClass } from '../button.tsx';
import { AppLink } from './app-link.tsx';

/** Leads to the place where the next step is done, at the size of a finger where there is no mouse. */
export function ButtonLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <AppLink href={href} className={`${buttonClass()} max-lg:min-h-12`}>
      {children}
    </AppLink>
  );
}
