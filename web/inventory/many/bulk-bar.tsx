import { useState } from 'react';
import { mostItemsAtOnce } from '../../../domain/inventory-edit.ts';
import { useMay } from '../../auth/api.ts';
import { countOf, formatNumber } from '../../http/format.ts';
import { lateDialog } from '../../ui/address/late-code.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { ExportButton } from '../../ui/dialogs/export-button.tsx';
import type { InventoryFilter } from '../api.ts';
import { pickedToExport } from '../export.ts';
import { usePickAll } from './api.ts';
import type { Picking } from './use-picked.ts';

const SetMinimum = lateDialog('Minimum', async () => (await import('./set-minimum.tsx')).SetMinimum);
const RemoveItems = lateDialog('Delete', async () => (await import('./remove-items.tsx')).RemoveItems);

type Props = { picking: Picking; filter: InventoryFilter; total: number };

/** What is picked, and what can be done with all of it. */
export function BulkBar({ picking, filter, total }: Props) {
  const { picked, onPage, clear } = picking;
  const [opened, setOpened] = useState<'minimum' | 'remove' | null>(null);
  const mayWrite = useMay('office:write');
  const mayRemove = useMay('office:delete');
  const count = picked.size;
  const elsewhere = count - onPage;
  const isTooMany = count > mostItemsAtOnce;
  const close = (): void => setOpened(null);
  return (
    <section
      aria-label="Selected items"
      className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b bg-accent-soft px-4 py-2 print:hidden"
    >
      <p className="text-text-2">
        <strong className="font-semibold text-text">{formatNumber(count)} selected</strong>
        {count <= total && ` of ${formatNumber(total)}`}
        {elsewhere > 0 && `, ${formatNumber(elsewhere)} not on this page`}
      </p>
      {count < Math.min(total, mostItemsAtOnce) && <PickAll {...{ picking, filter, total }} />}
      {isTooMany && <p className="text-warn-text">At most {countOf(mostItemsAtOnce, 'item')} at once</p>}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {mayWrite && (
          <Button disabled={isTooMany} onClick={() => setOpened('minimum')} className="max-lg:min-h-12">
            Set minimum
          </Button>
        )}
        <ExportButton
          label="Export the selected items"
          exported={pickedToExport([...picked.keys()], filter)}
          total={isTooMany ? 0 : count}
        />
        {mayRemove && (
          <Button
            disabled={isTooMany}
            onClick={() => setOpened('remove')}
            className="enabled:border-bad! enabled:text-bad-text! max-lg:min-h-12"
          >
            Delete {countOf(count, 'item')}
          </Button>
        )}
        <IconButton
          label="Clear the selection"
          title="Clear (Esc)"
          icon="close"
          className="max-lg:size-12"
          onClick={clear}
        />
      </span>
      {opened === 'minimum' && <SetMinimum picking={picking} onClose={close} />}
      {opened === 'remove' && <RemoveItems picking={picking} onClose={close} />}
    </section>
  );
}

/** Everything that the filter finds, or as much of it as may be changed at once. */
function PickAll({ picking, filter, total }: Props) {
  const all = usePickAll(picking.pickOnly);
  const isMore = total > mostItemsAtOnce;
  return (
    <Button
      variant="quiet"
      pending={all.isPending}
      pendingLabel="Selecting..."
      title={isMore ? `At most ${countOf(mostItemsAtOnce, 'item')} at once` : undefined}
      onClick={() => all.mutate(filter)}
      className="text-accent! max-lg:min-h-12"
    >
      {isMore ? `Select the first ${formatNumber(mostItemsAtOnce)}` : `Select all ${formatNumber(total)}`}
    </Button>
  );
}
