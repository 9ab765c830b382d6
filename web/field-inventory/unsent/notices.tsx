import type { OfflineStatus } from '../../offline/outbox/status.ts';
import { usePhotosOfOthers } from '../../offline/photos/unsent-photos.ts';
import { canSeal } from '../../offline/seal/seal.ts';
import { useOffline } from '../../offline/use-offline.ts';
import type { Drafts } from '../drafts/draft-desk.ts';
import { NotSaved } from './not-saved.tsx';
import { signInAddress } from './sign-in-address.ts';

/** Browsers may clear the data of a site not used for days: unsent changes older than this need a person. */
const staleUnsentMs = 24 * 3_600_000;

const look = 'grid gap-2 border-b px-4 py-3 text-16';

type NoticesProps = { status: OfflineStatus; drafts: Drafts; onRetry: () => void };

/** What the driver must know before going on, worst first. */
export function Notices({ status, drafts, onRetry }: NoticesProps) {
  const offline = useOffline();
  const { oldestUnsentAt } = status;
  const photos = usePhotosOfOthers();
  const isStale = oldestUnsentAt !== null && offline.environment.now() - Date.parse(oldestUnsentAt) > staleUnsentMs;
  return (
    <>
      {status.notSaved && <NotSaved refusedWrites={status.refusedWrites} drafts={drafts} onRetry={onRetry} />}
      {isStale && (
        <p role="alert" className={`${look} border-bad bg-bad-soft text-bad-text`}>
          Changes on this device have been unsent for more than 24 hours. Find a network and leave this page open.
        </p>
      )}
      {status.unsentOthers > 0 && (
        <p role="status" className={`${look} border-line text-text-2`}>
          {othersWords(status.unsentOthers)}
        </p>
      )}
      {photos && (
        <p role="status" className={`${look} border-line text-text-2`}>
          {photos}
        </p>
      )}
      {status.signInNeeded && (
        <p role="status" className={`${look} border-warn bg-warn-soft text-warn-text`}>
          Your sign-in has ended. Nothing is lost: your changes stay on this device.
          <a href={signInAddress()} className="grid h-12 place-items-center rounded border border-warn font-semibold">
            Sign in
          </a>
        </p>
      )}
    </>
  );
}

/** Sealed where the browser can: a page of a plain-http address has no cryptography. */
function othersWords(count: number): string {
  const isOne = count === 1;
  const what = isOne
    ? '1 change of somebody who used this device before is not sent yet. It goes by itself'
    : `${count} changes of somebody who used this device before are not sent yet. They go by themselves`;
  return canSeal() ? `${what}, and nobody else can read ${isOne ? 'it' : 'them'} here.` : `${what}.`;
}
