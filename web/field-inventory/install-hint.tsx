import { useState } from 'react';
import { useInstall } from '../offline/kept/install.ts';
import { Button } from '../ui/button.tsx';

const laterKey = 'milkrun-install-later';
/** Who said no is left alone for a season. */
const restMs = 90 * 24 * 3_600_000;

/** Some browsers forbid a page to keep anything: the hint comes again then. */
function isResting(nowMs: number): boolean {
  try {
    return nowMs - Number(localStorage.getItem(laterKey) ?? Number.NEGATIVE_INFINITY) < restMs;
  } catch {
    return false;
  }
}

function restFrom(nowMs: number): void {
  try {
    localStorage.setItem(laterKey, String(nowMs));
  } catch {
    // The hint is gone for this opening at least.
  }
}

/** A quiet line for drivers who use the app as a page: an installed one is kept when the phone needs room. */
export function InstallHint({ nowMs }: { nowMs: number }) {
  const install = useInstall();
  const [isGone, setIsGone] = useState(() => isResting(nowMs));
  if (!install || isGone) return null;
  const later = () => {
    restFrom(nowMs);
    setIsGone(true);
  };
  return (
    <section aria-label="Install Milkrun" className="grid gap-2 border-b border-line px-4 py-3 text-14 text-text-2">
      {install.by === 'button' ? (
        <p>Install Milkrun on this device: it opens from the home screen, and what is unsent is safer there.</p>
      ) : (
        <p>
          Keep Milkrun on this device: tap Share, then <strong className="text-text">Add to Home Screen</strong>. Safari
          clears pages that were not opened for a week, and what they have not sent.
        </p>
      )}
      <div className="grid grid-cols-2 gap-2">
        {install.by === 'button' && (
          <Button size="field" icon="download" onClick={install.ask}>
            Install
          </Button>
        )}
        <Button size="field" variant="quiet" onClick={later}>
          Not now
        </Button>
      </div>
    </section>
  );
}
