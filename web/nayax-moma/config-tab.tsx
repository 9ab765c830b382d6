import { useMay } from '../auth/api.ts';
import { useAdding } from '../integrations/use-adding.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { type LynxSystem, labelOf, useLynxConfigs } from './api.ts';
import { ConfigCard } from './config-card.tsx';
import { ConfigDialog } from './config-dialog.tsx';
import { MomaRecords, NayaxRecords } from './records.tsx';

/** Configurations of one system as cards, and the records of the one chosen below them. */
export function ConfigTab({ system }: { system: LynxSystem }) {
  const { get, set } = useAddress();
  const [isAdding, setAdding] = useAdding();
  const mayWrite = useMay('office:write');
  const configs = useLynxConfigs(system);
  const shown = configs.data?.find((config) => String(config.id) === get('config')) ?? null;
  const show = (id: number | null): void =>
    set({ config: id === null ? null : String(id), list: null, page: null, q: null, sort: null });
  const add = mayWrite ? (
    <Button variant="primary" icon="plus" className="max-lg:min-h-12" onClick={() => setAdding(true)}>
      Add Configuration
    </Button>
  ) : null;
  return (
    <div className="grid gap-4">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto text-16">{labelOf[system]} configurations</h2>
        {configs.data?.length !== 0 && add}
      </header>
      {configs.error && !configs.data && (
        <Card>
          <FailedView
            error={configs.error}
            retry={() => void configs.refetch()}
            title="The configurations did not load"
          />
        </Card>
      )}
      {!configs.data && !configs.error && <Placeholders />}
      {configs.data?.length === 0 && (
        <Card>
          <StateView
            icon="plug"
            title="No configurations found"
            text={
              mayWrite
                ? `Add one to read machines and sales from ${labelOf[system]}. The sandbox needs no account.`
                : 'Somebody with the right to change the office’s data can add one.'
            }
            action={add}
          />
        </Card>
      )}
      {configs.data && configs.data.length > 0 && (
        <div className="grid grid-cols-3 items-start gap-4 max-2xl:grid-cols-2 max-lg:grid-cols-1">
          {configs.data.map((config) => (
            <ConfigCard
              key={config.id}
              system={system}
              config={config}
              isShown={config === shown}
              onShow={() => show(config === shown ? null : config.id)}
            />
          ))}
        </div>
      )}
      {shown && system === 'nayax' && <NayaxRecords key={shown.id} configId={shown.id} name={shown.name} />}
      {shown && system === 'moma' && <MomaRecords key={shown.id} configId={shown.id} name={shown.name} />}
      {isAdding && <ConfigDialog system={system} config={null} onClose={() => setAdding(false)} />}
    </div>
  );
}

function Placeholders() {
  return (
    <div
      role="status"
      aria-label="Loading configurations"
      className="grid grid-cols-3 gap-4 max-2xl:grid-cols-2 max-lg:grid-cols-1"
    >
      {[1, 2].map((n) => (
        <div key={n} className="grid h-52 content-between rounded border border-line p-4">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-8 w-56 max-w-full" />
        </div>
      ))}
    </div>
  );
}
