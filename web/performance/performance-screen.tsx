import { useMay } from '../auth/api.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useOptimizeEnterprise } from './api.ts';
import { CapacityCard } from './capacity-card.tsx';
import { ConfirmationCard } from './confirmation-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { MetricsCard } from './metrics-card.tsx';
import { ReadinessCard } from './readiness-card.tsx';
import { ScalabilityCard, SuggestionsCard } from './scalability-card.tsx';

/** How this installation does, how far it could grow, and what would stop it first. */
export function PerformanceScreen() {
  const optimize = useOptimizeEnterprise();
  const mayOptimize = useMay('settings:manage');
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <h1>Enterprise Performance</h1>
          <p className="text-text-3">Measured on this installation; the circled i says how.</p>
        </div>
        <Button
          variant="primary"
          icon="bolt"
          className="max-sm:w-full max-lg:min-h-12"
          disabled={!mayOptimize}
          title={mayOptimize ? undefined : 'Only a Super Admin may run the maintenance'}
          pending={optimize.isPending}
          pendingLabel="Optimizing..."
          onClick={() => optimize.mutate()}
        >
          Optimize for Enterprise
        </Button>
      </header>
      {optimize.data && <DoneCard done={optimize.data.implementedOptimizations} seconds={optimize.data.seconds} />}
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <ReadinessCard />
        <div className="grid gap-4">
          <CapacityCard />
          <MetricsCard />
        </div>
        <ScalabilityCard />
        <SuggestionsCard />
        <HistoryCard />
        <ConfirmationCard />
      </div>
    </div>
  );
}

function DoneCard({ done, seconds }: { done: readonly string[]; seconds: number }) {
  return (
    <Card title="What the Optimization Did" count={`${seconds} s`}>
      <div role="status" aria-label="Done">
        <ol className="list-decimal space-y-1 py-3 pr-4 pl-8 text-text-2">
          {done.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ol>
      </div>
    </Card>
  );
}
