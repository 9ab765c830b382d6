import { useState } from 'react';
import type { ScheduledRoute } from '../../contract/routes.ts';
import { sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { toast } from '../ui/toast.ts';
import { useCompleteRoute } from './api.ts';

const suggestions = ['Closed', 'No access', 'No time', 'Not needed'];

/** Ends a route by hand: each stop left out needs its reason. Cannot be undone. */
export function CompleteRoute({ route, onClose }: { route: ScheduledRoute; onClose: () => void }) {
  const open = route.stops.filter((stop) => !stop.completed);
  const [reasons, setReasons] = useState<Record<number, string>>({});
  const [tried, setTried] = useState(false);
  const complete = useCompleteRoute();
  const run = (): void => {
    setTried(true);
    const skipped = open.map((stop) => ({ stopId: stop.id, reason: (reasons[stop.id] ?? '').trim() }));
    if (skipped.some((one) => one.reason === '')) return;
    complete.mutate(
      { routeId: route.id, skipped },
      {
        onSuccess: () => {
          toast({ title: 'Route Completed', description: route.name });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Complete ${route.name}?`}
      description={
        open.length
          ? `${open.length} of ${route.stops.length} stops are not done. Say why each is left out. A completed route cannot be reopened.`
          : 'All stops are done. A completed route cannot be reopened.'
      }
      footer={
        <>
          <Button className="max-lg:h-12" onClick={onClose}>
            Keep driving
          </Button>
          <Button
            variant="primary"
            className="max-lg:h-12"
            pending={complete.isPending}
            pendingLabel="Completing..."
            onClick={run}
          >
            Complete Route
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {open.map((stop) => (
          <TextField
            key={stop.id}
            label={`${stop.stopOrder}. ${stop.locationName}`}
            list="skip-reasons"
            maxLength={255}
            value={reasons[stop.id] ?? ''}
            error={tried && !reasons[stop.id]?.trim() ? 'Give a reason' : undefined}
            onChange={(text) => setReasons((before) => ({ ...before, [stop.id]: text }))}
          />
        ))}
        <datalist id="skip-reasons">
          {suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
        {complete.isError && (
          <p role="alert" className="text-bad-text">
            {sentenceOf(complete.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}
