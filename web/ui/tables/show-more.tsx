import { formatNumber } from '../../http/format.ts';
import { Button } from '../button.tsx';

type Props = {
  shown: number;
  total: number;
  /** How many a press adds. */
  step: number;
  /** What is counted, and what else is to be said of it. */
  things: string;
  pending?: boolean;
  failed?: boolean;
  onMore: () => void;
};

/** The foot of a list that is shown a part at a time: how much of it is there, and the next part. Nothing at its end. */
export function ShowMore({ shown, total, step, things, pending = false, failed = false, onMore }: Props) {
  if (shown >= total) return null;
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-2 text-12 text-text-3 print:hidden">
      <span role="status">
        {failed ? 'The next ones did not load. ' : ''}
        {formatNumber(shown)} of {formatNumber(total)} {things}
      </span>
      <Button pending={pending} pendingLabel="Loading..." className="max-lg:min-h-12" onClick={onMore}>
        {failed ? 'Try again' : `Show ${formatNumber(Math.min(step, total - shown))} more`}
      </Button>
    </div>
  );
}
