import { useLocation } from 'wouter';
import { useSession } from '../../auth/api.ts';
import { manualAddress } from '../../manual/page-of-screen.ts';
import { AppLink } from '../../ui/address/app-link.tsx';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { AlertsBell } from './alerts-bell.tsx';
import { Clock } from './clock.tsx';
import { PersonMenu } from './person-menu.tsx';
import { ThemeButton } from './theme-button.tsx';

type Props = { onMenu: () => void; onSearch: () => void };

export function TopBar({ onMenu, onSearch }: Props) {
  const isWide = useMedia('(min-width: 64rem)');
  const [path] = useLocation();
  // Until it is set up, nothing but the account is answered.
  const { secondStepMissing } = useSession();
  return (
    <header className="flex h-14 items-center gap-2 border-line border-b px-6 max-lg:px-1">
      <span className="lg:hidden">
        <IconButton label="Open menu" icon="menu" size="field" onClick={onMenu} />
      </span>
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 w-76 min-w-0 items-center gap-2 rounded border border-line-strong px-2 text-text-3 hover:bg-hover max-lg:hidden"
      >
        <Icon name="search" />
        <span className="truncate">Find or do anything</span>
        <kbd className="ml-auto rounded-s border border-line bg-subtle px-1 font-medium font-sans text-12">Ctrl K</kbd>
      </button>
      <div className="ml-auto flex items-center gap-1 lg:gap-2">
        {isWide && <Clock />}
        <span className="lg:hidden">
          <IconButton label="Find or do anything" icon="search" size="field" onClick={onSearch} />
        </span>
        <span className="max-lg:hidden">
          <ThemeButton size="office" />
        </span>
        <AppLink
          href={manualAddress(path)}
          aria-label="Help with this screen"
          title="Help with this screen"
          className={`${buttonClass({ variant: 'quiet' })} px-2 max-lg:size-12 max-lg:[&_svg]:size-6`}
        >
          <Icon name="info" />
        </AppLink>
        {!secondStepMissing && <AlertsBell />}
        <PersonMenu />
      </div>
    </header>
  );
}
