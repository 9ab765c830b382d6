import { type ReactNode, useEffect, useState } from 'react';
import { useSession } from '../auth/api.ts';
import { lateDialog } from '../ui/address/late-code.tsx';
import { BottomBar } from './bars/bottom-bar.tsx';
import { SideMenu } from './bars/side-menu.tsx';
import { TopBar } from './bars/top-bar.tsx';
import { DemoBanner } from './demo-banner.tsx';
import { OfflineStrip } from './offline-strip.tsx';
import { SectionSkip } from './section-skip.tsx';

const Palette = lateDialog('Search', async () => (await import('./palette.tsx')).Palette);

/** What stands around every screen. */
export function Layout({ children }: { children: ReactNode }) {
  const { operator } = useSession();
  const [menuOpen, setMenuOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setPaletteOpen((open) => !open);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    if (!menuOpen) return;
    // Turned or widened, the menu stands beside the screen: an open drawer would keep the screen out of reach.
    const wide = window.matchMedia('(min-width: 64rem)');
    const close = (): void => setMenuOpen(false);
    wide.addEventListener('change', close);
    return () => wide.removeEventListener('change', close);
  }, [menuOpen]);
  return (
    <div className="min-h-dvh max-lg:min-h-[calc(100dvh+var(--strip,0px))] lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block print:min-h-0">
      <a
        href="#content"
        className="sr-only z-50 rounded bg-raised p-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <SectionSkip />
      <div className="contents print:hidden">
        <SideMenu open={menuOpen} onClose={() => setMenuOpen(false)} />
      </div>
      <div inert={menuOpen} className="flex min-w-0 flex-col max-lg:pb-16 print:pb-0">
        <div className="print:hidden">
          {operator.isDemo && <DemoBanner />}
          <TopBar onMenu={() => setMenuOpen(true)} onSearch={() => setPaletteOpen(true)} />
          <OfflineStrip />
        </div>
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          {children}
        </main>
      </div>
      <div className="contents print:hidden">
        <BottomBar />
      </div>
      {paletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </div>
  );
}
