import { type ReactNode, useId } from 'react';
import { formatNumber } from '../http/format.ts';
import { AppLink } from './address/app-link.tsx';

type CardProps = {
  title?: ReactNode;
  count?: number | string;
  actions?: ReactNode;
  footer?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** A titled section with hairline borders. */
export function Card({ title, count, actions, footer, className = '', children }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={`min-w-0 rounded border border-line bg-ground ${className}`}
    >
      {title && (
        <header className="flex min-h-12.25 flex-wrap items-center gap-2 border-line border-b px-4 py-2">
          <h2 id={id} className="min-w-0">
            {title}
          </h2>
          {count !== undefined && (
            <span className="font-medium text-text-2">{typeof count === 'number' ? formatNumber(count) : count}</span>
          )}
          {actions && (
            <div className="ml-auto flex min-w-0 max-w-full flex-wrap items-center gap-2 max-sm:has-[input]:w-full">
              {actions}
            </div>
          )}
        </header>
      )}
      {children}
      {footer && (
        <footer className="flex min-h-10 items-center gap-2 border-line border-t px-4 py-1 text-12 text-text-3">
          {footer}
        </footer>
      )}
    </section>
  );
}

/** A link in the figure is pressed anywhere on its tile. */
const wholeTile = "[&_a]:static [&_a]:after:absolute [&_a]:after:inset-0 [&_a]:after:content-['']";

type StatProps = {
  label: string;
  value: ReactNode;
  /** Where the rows are that the figure counts. */
  href?: string | undefined;
  detail?: ReactNode;
  picture?: ReactNode;
};

/** One figure that matters, and what explains it. */
export function StatTile({ label, value, href, detail, picture }: StatProps) {
  return (
    <div className="relative min-w-0 rounded border border-line bg-ground p-4">
      <h2 className="font-medium text-text-2">{label}</h2>
      <div className="mt-2 flex items-end justify-between gap-4">
        <p
          className={`min-w-0 truncate font-semibold text-28 tracking-tight max-sm:whitespace-normal max-sm:text-20 print:text-20 ${wholeTile}`}
        >
          {href ? (
            <AppLink href={href} className="text-link">
              {value}
            </AppLink>
          ) : (
            value
          )}
        </p>
        {picture}
      </div>
      {detail && <p className="mt-2 text-12 text-text-3 [&_a]:relative">{detail}</p>}
    </div>
  );
}
