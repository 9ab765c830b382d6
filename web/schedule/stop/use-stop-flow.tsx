import { type ReactNode, useState } from 'react';
import type { ScheduledRoute, Stop } from '../../../contract/routes.ts';
import { stopsAhead } from '../../../domain/route-progress.ts';
import type { OpenWork } from '../../offline/day/driver-day.ts';
import { useSteps } from '../use-steps.ts';
import { AheadDialog, DraftsDialog, SkipDialog } from './stop-dialogs.tsx';
import { inventoryAddress } from './stop-ref.ts';

type Asking = { what: 'skip' } | { what: 'ahead'; go: () => void; count: number } | { what: 'drafts'; work: OpenWork };

export type StopFlow = {
  arrive: () => void;
  complete: () => void;
  skip: () => void;
  reopen: () => void;
  /** The question on the screen, if any. */
  dialog: ReactNode;
};

/** What a driver can do at a stop, with the questions that stand before it. */
export function useStopFlow(route: ScheduledRoute, stop: Stop): StopFlow {
  const steps = useSteps();
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = (): void => setAsking(null);
  const inOrder = (run: () => void): void => {
    const count = stop.actualArrival === null ? stopsAhead(route.stops, stop.id) : 0;
    if (count === 0) run();
    else setAsking({ what: 'ahead', go: run, count });
  };
  const finish = async (): Promise<void> => {
    // A phone whose store cannot be read says so itself when the step is kept.
    const work = await steps.openWork(stop).catch(() => ({ drafts: 0, visitId: null }));
    if (work.drafts > 0) setAsking({ what: 'drafts', work });
    else await steps.complete(stop, work);
  };
  return {
    arrive: () => inOrder(() => void steps.arrive(stop)),
    complete: () => inOrder(() => void finish()),
    skip: () => setAsking({ what: 'skip' }),
    reopen: () => void steps.reopen(stop),
    dialog: asking && (
      <Question
        asking={asking}
        stop={stop}
        onClose={close}
        onSkip={(reason) => {
          close();
          void steps.skip(stop, reason);
        }}
        onSave={(work) => {
          close();
          void steps.complete(stop, work);
        }}
      />
    ),
  };
}

type QuestionProps = {
  asking: Asking;
  stop: Stop;
  onClose: () => void;
  onSkip: (reason: string) => void;
  onSave: (work: OpenWork) => void;
};

function Question({ asking, stop, onClose, onSkip, onSave }: QuestionProps) {
  const name = stop.locationName;
  if (asking.what === 'skip') return <SkipDialog name={name} onSkip={onSkip} onClose={onClose} />;
  if (asking.what === 'ahead') {
    const go = (): void => {
      onClose();
      asking.go();
    };
    return <AheadDialog name={name} count={asking.count} onGo={go} onClose={onClose} />;
  }
  return (
    <DraftsDialog
      name={name}
      drafts={asking.work.drafts}
      inventory={inventoryAddress(stop)}
      onSave={() => onSave(asking.work)}
      onClose={onClose}
    />
  );
}
