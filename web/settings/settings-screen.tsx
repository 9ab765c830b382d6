import { useMay } from '../auth/api.ts';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useSettings } from './api.ts';
import { DataCard } from './data-card.tsx';
import { DesignationsCard } from './designations-card.tsx';
import { DepotsCard, VehiclesCard } from './fleet-cards.tsx';
import { MessagesCard } from './messages-card.tsx';
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
          <SkeletonRows rows={5} className="h-9" />
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
          {mayManage && <MessagesCard />}
          {mayManage && <SecurityCard />}
          {mayManage && <DataCard />}
        </>
      )}
    </div>
  );
}
