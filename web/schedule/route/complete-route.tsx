import { useState } from 'react';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { isSettled } from '../../../domain/route-progress.ts';
import { countOf } from '../../http/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import { reasonProblem, skipReasons } from '../stop/stop-dialogs.tsx';
import { useSteps } from '../use-steps.ts';

/** Ends a route by hand: each stop left out needs its reason. Cannot be undone. */
export function CompleteRoute({ route, onClose }: { route: ScheduledRoute; onClose: () => void }) {
  const open = route.stops.filter((stop) => !isSettled(stop));
  const [reasons, setReasons] = useState<Record<number, string>>({});
  const [tried, setTried] = useState(false);
  const { completeRoute } = useSteps();
  const run = async (): Promise<void> => {
    setTried(true);
    const skipped = open.map((stop) => ({ stop, reason: (reasons[stop.id] ?? '').trim() }));
    if (skipped.some((one) => reasonProblem(one.reason))) return;
    if (await completeRoute(route, skipped)) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Complete ${route.name}?`}
      description={
        open.length
          ? `${open.length} of ${countOf(route.stops.length, 'stop')} ${open.length === 1 ? 'is' : 'are'} not done. Say why each is left out. A completed route cannot be reopened.`
          : 'Every stop is done or skipped. A completed route cannot be reopened.'
      }
      footer={
        <>
          <Button className="max-lg:h-12" onClick={onClose}>
            Keep driving
          </Button>
          <Button variant="primary" className="max-lg:h-12" onClick={() => void run()}>
            Complete Route
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {open.length > 1 && (
          <fieldset className="grid gap-2">
            <legend className="pb-1 text-text-2">The same for all of them</legend>
            <div className="grid grid-cols-2 gap-2">
              {skipReasons.map((reason) => (
                <Button
                  key={reason}
                  size="thumb"
                  onClick={() => setReasons(Object.fromEntries(open.map((stop) => [stop.id, reason])))}
                >
                  {reason}
                </Button>
              ))}
            </div>
          </fieldset>
        )}
        {open.map((stop) => (
          <TextField
            key={stop.id}
            label={`${stop.stopOrder}. ${stop.locationName}`}
            list="skip-reasons"
            maxLength={255}
            value={reasons[stop.id] ?? ''}
            error={tried ? reasonProblem(reasons[stop.id] ?? '') : undefined}
            onChange={(text) => setReasons((before) => ({ ...before, [stop.id]: text }))}
          />
        ))}
        <datalist id="skip-reasons">
          {skipReasons.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      </div>
    </Dialog>
  );
}
