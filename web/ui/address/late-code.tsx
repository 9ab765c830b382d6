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
    const retry = useCallback(() => setError(null), []);
    if (Code) return <Code {...props} />;
    return error === null ? waiting : failed(error, retry, props);
  };
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
    waiting: <div role="status" aria-label="Loading" className="min-h-dvh bg-ground" />,
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
