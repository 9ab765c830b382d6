import { useLocation } from 'wouter';
import { may } from '../../../domain/permissions.ts';
import { useSession } from '../../auth/api.ts';
import { screens } from '../../screens.tsx';
import { AppLink } from '../../ui/address/app-link.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Shortcuts at the thumb, on small screens only. */
export function BottomBar() {
  const { person } = useSession();
  const [here] = useLocation();
  const shortcuts = screens.filter((screen) => screen.shortcut && may(person.role, screen.needs));
  return (
    <nav
      aria-label="Shortcuts"
      className="fixed inset-x-0 bottom-0 z-20 grid h-16 auto-cols-fr grid-flow-col border-line border-t bg-subtle pb-1 lg:hidden"
    >
      {/* Five words side by side grow with the browser's text only as far as a phone has room for the longest. */}
      {shortcuts.map((screen) => (
        <AppLink
          key={screen.path}
          href={screen.path}
          aria-current={screen.path === here ? 'page' : undefined}
          className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-center justify-items-center gap-1 border-transparent border-t-2 font-medium text-[max(12px,min(0.75rem,3.3vw))] text-text-2 leading-4 aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-accent"
        >
          <Icon name={screen.icon} size={20} />
          <span className="max-w-full truncate">{screen.shortcut}</span>
        </AppLink>
      ))}
    </nav>
  );
}
