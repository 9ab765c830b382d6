import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { Dialog } from '../dialogs/dialog.tsx';
import { FailedView } from '../state-view.tsx';

type Wanted<P> = {
  load: () => Promise<ComponentType<P>>;
  waiting?: ReactNode;
  /** What stands in its place when the code cannot be fetched. */
  failed: (error: unknown, retry: () => void, props: P) => ReactNode;
};

/**
 * A component whose code comes when it is wanted, outside the frame of a screen. Code that cannot be fetched is said in its
 * own place and everything around it stays; `lazy` would keep the failure for good, so each wish and each tap tries anew.
 */
function lateCode<P extends object>({ load, waiting = null, failed }: Wanted<P>): ComponentType<P> {
  let atHand: ComponentType<P> | null = null;
  return function LateCode(props: P) {
    const [Code, setCode] = useState(() => atHand);
    const [error, setError] = useState<unknown>(null);
    const isWanted = Code === null && error === null;
    useEffect(() => {
      if (!isWanted) return;
      load().then((code) => {
        atHand = code;
        setCode(() => code);
      }, setError);
    }, [isWanted]);
    const retry = useCallback(() => {
      askAgainForStyles();
      setError(null);
    }, []);
    if (Code) return <Code {...props} />;
    return error === null ? waiting : failed(error, retry, props);
  };
}

/** Code that brings styles asks for them once: a sheet that the network lost with it would be missing from then on. */
function askAgainForStyles(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (isLost(link)) link.replaceWith(link.cloneNode());
  }
}

function isLost({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet === null || sheet.cssRules.length === 0;
  } catch {
    // Chromium has a sheet also where none came, and lets nobody read it.
    return true;
  }
}

/** A dialog of which the code comes when it is opened. */
export const lateDialog = <P extends { onClose: () => void }>(
  title: string,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> =>
  lateCode<P>({
    load,
    failed: (error, retry, { onClose }) => (
      <Dialog open onClose={onClose} title={title}>
        <FailedView error={error} retry={retry} title={`${title} did not open`} />
      </Dialog>
    ),
  });

/** A whole page of which the code comes when it is opened. */
export const latePage = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lateCode<P>({
    load,
    // What stands on the page before the app came stays until then.
    waiting: <div role="status" aria-label="Loading" data-booting="" className="min-h-dvh bg-ground" />,
    failed: (error, retry) => (
      <main className="grid min-h-dvh place-items-center">
        <FailedView error={error} retry={retry} title="The page did not load" />
      </main>
    ),
  });

/** A part of a page of which the code comes with the page; `waiting` stands there until then. */
export const latePart = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting?: ReactNode,
): ComponentType<P> =>
  lateCode<P>({
    load,
    waiting,
    failed: (error, retry) => <FailedView error={error} retry={retry} title="This part of the page did not load" />,
  });
