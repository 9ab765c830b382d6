import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { may } from '../../../domain/permissions.ts';
import { useSession } from '../../auth/api.ts';
import { screens } from '../../screens.tsx';
import { AppLink } from '../../ui/address/app-link.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Fixed on large screens; on small ones a drawer over a backdrop that a choice, the backdrop or Escape closes. */
export function SideMenu({ open, onClose }: { open: boolean; onClose: () => void }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!open) return;
    const before = document.activeElement;
    panel.current?.querySelector<HTMLElement>('a')?.focus();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onClose();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [open, onClose]);
  return (
    <>
      {open && (
        <button
          type="button"
          aria-label="Close menu"
          className="fixed inset-0 z-30 bg-scrim lg:hidden"
          onClick={onClose}
        />
      )}
      <aside
        ref={panel}
        className={`z-40 w-60 border-line border-r bg-subtle transition-[translate,visibility] duration-(--move) max-lg:fixed max-lg:inset-y-0 max-lg:left-0 max-lg:w-72 ${open ? '' : 'max-lg:invisible max-lg:-translate-x-full'}`}
      >
        <div className="lg:sticky lg:top-0">
          <div className="flex h-14 items-center gap-2 px-4">
            <img src="/icon.svg" alt="" width={24} height={24} />
            <div className="min-w-0 flex-1">
              <p className="font-semibold">Milkrun</p>
              <p className="text-12 text-text-3">Route &amp; Inventory Manager</p>
            </div>
            <span className="lg:hidden">
              <IconButton label="Close menu" icon="close" size="field" onClick={onClose} />
            </span>
          </div>
          <Entries onChoose={onClose} />
        </div>
      </aside>
    </>
  );
}

function Entries({ onChoose }: { onChoose: () => void }) {
  const { person } = useSession();
  const [here] = useLocation();
  const under = screens.find((screen) => screen.under && isAt(screen.path, here))?.under;
  return (
    <nav aria-label="Main" className="grid gap-0.5 p-2">
      {screens
        .filter((screen) => !screen.inside && may(person.role, screen.needs))
        .map((screen) => (
          <AppLink
            key={screen.path}
            href={screen.path}
            onClick={onChoose}
            aria-current={isAt(screen.path, here) || screen.path === under ? 'page' : undefined}
            className="flex h-8 items-center gap-2 rounded px-2 font-medium text-text-2 hover:bg-hover aria-[current]:bg-accent-soft aria-[current]:font-semibold aria-[current]:text-accent max-lg:h-12"
          >
            <Icon name={screen.icon} />
            {screen.label}
          </AppLink>
        ))}
    </nav>
  );
}

const isAt = (path: string, here: string): boolean => path === here || here.startsWith(`${path}/`);
