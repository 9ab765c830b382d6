import { exportUnsent } from '../offline/actions.ts';
import type { OfflineStatus } from '../offline/status.ts';
import { useOffline } from '../offline/use-offline.ts';
import { Button } from '../ui/button.tsx';
import { signInAddress } from './sign-in-address.ts';

/** Browsers may clear the data of a site not used for days: unsent changes older than this need a person. */
const staleUnsentMs = 24 * 3_600_000;

const look = 'grid gap-2 border-b px-4 py-3 text-16';

/** What the driver must know before going on, worst first. */
export function Notices({ status }: { status: OfflineStatus }) {
  const offline = useOffline();
  const { oldestUnsentAt } = status;
  const isStale = oldestUnsentAt !== null && offline.environment.now() - Date.parse(oldestUnsentAt) > staleUnsentMs;
  return (
    <>
      {status.notSaved && <NotSaved />}
      {isStale && (
        <p role="alert" className={`${look} border-bad bg-bad-soft text-bad-text`}>
          Changes on this phone have been unsent for more than 24 hours. Find a network and leave this page open.
        </p>
      )}
      {status.signInNeeded && (
        <p role="status" className={`${look} border-warn bg-warn-soft text-warn-text`}>
          Your sign-in has ended. Nothing is lost: your changes stay on this phone.
          <a href={signInAddress()} className="grid h-12 place-items-center rounded border border-warn font-semibold">
            Sign in
          </a>
        </p>
      )}
    </>
  );
}

function NotSaved() {
  const offline = useOffline();
  const exportFile = async () => {
    const url = URL.createObjectURL(await exportUnsent(offline));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'milkrun-unsent-changes.json';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <div role="alert" className={`${look} border-bad bg-bad-soft text-bad-text`}>
      <strong className="font-semibold">NOT saved</strong>
      This phone has no room left. Free some space, or export the changes to a file, before you go on.
      <Button size="field" onClick={() => void exportFile()}>
        Export to a file
      </Button>
    </div>
  );
}
