import { useMay } from '../auth/api.ts';
import { buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useSettings } from './api.ts';
import { DesignationsCard } from './designations-card.tsx';
import { DepotsCard, VehiclesCard } from './fleet-cards.tsx';
import { OperatorCard } from './operator-card.tsx';
import { RulesCard } from './rules-card.tsx';
import { SecurityCard } from './security-card.tsx';

/** The owner's set-up: the company, where its vehicles start, and all of its data to carry away. */
export function SettingsScreen() {
  const { data, error, refetch } = useSettings();
  const mayManage = useMay('settings:manage');
  return (
    <div className="grid min-w-0 gap-4 p-6 max-lg:p-4">
      <h1>Settings</h1>
      {error && !data && (
        <Card>
          <FailedView error={error} retry={() => void refetch()} title="The settings did not load" />
        </Card>
      )}
      {!data && !error && (
        <Card title="Company">
          <SkeletonRows rows={4} className="h-12" />
        </Card>
      )}
      {data && (
        <>
          <OperatorCard operator={data.operator} mayChange={mayManage} />
          <RulesCard rules={data.rules} mayChange={mayManage} />
          <DesignationsCard designations={data.designations} mayChange={mayManage} />
          <div className="grid items-start gap-4 xl:grid-cols-2">
            <DepotsCard depots={data.depots} />
            <VehiclesCard vehicles={data.vehicles} depots={data.depots} />
          </div>
          {mayManage && <SecurityCard />}
          {mayManage && <DataCard />}
        </>
      )}
    </div>
  );
}

function DataCard() {
  return (
    <Card title="Your Data">
      <div className="grid max-w-2xl gap-3 p-4">
        <p className="text-text-2">
          Everything in this Milkrun as a ZIP of CSV files, one a table, with checksums. Another Milkrun reads it with{' '}
          <code>milkrun restore FILE</code>. Each night a backup is kept on the server as well.
        </p>
        {/* The browser itself shows how far a large file is, and says when it breaks off. */}
        <a href="/api/export/everything" download className={`${buttonClass()} justify-self-start max-lg:min-h-12`}>
          <Icon name="download" />
          Export everything
        </a>
      </div>
    </Card>
  );
}
