import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MergePreview, Product } from '../../contract/products.ts';
import { sentenceOf } from '../http/client.ts';
import { countOf } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Select } from '../ui/forms/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { previewMerge, useMergeProducts } from './api.ts';

type Props = { products: readonly Product[]; onClose: () => void; onDone: () => void };

/** The one that says most: barcodes, cost and price are what others would lose. */
function bestOf(products: readonly Product[]): number {
  const known = (one: Product): number =>
    one.barcodes.length +
    [one.unitCost, one.unitPrice, one.brand, one.category].filter((value) => value !== null).length;
  return products.toSorted((a, b) => known(b) - known(a) || a.id - b.id)[0]?.id ?? 0;
}

/** Which name stays, and what would move to it, before anything does. */
export function MergeDialog({ products, onClose, onDone }: Props) {
  const [kept, setKept] = useState(() => bestOf(products));
  const merged = products.map(({ id }) => id).filter((id) => id !== kept);
  const preview = useQuery({
    queryKey: ['merge preview', kept, merged],
    queryFn: () => previewMerge({ kept, merged }),
    gcTime: 0,
  });
  const merge = useMergeProducts();
  const run = async (): Promise<void> => {
    await merge.mutateAsync({ kept, merged });
    onDone();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Merge ${products.length} products`}
      description="Stock, barcodes and the names themselves lead to the product that is kept. It can be undone."
      footer={
        <>
          <Button onClick={onClose} className="max-lg:min-h-12">
            Cancel
          </Button>
          <Button
            variant="primary"
            disabled={!preview.data}
            pending={merge.isPending}
            pendingLabel="Merging..."
            onClick={() => void run().catch(() => {})}
            className="max-lg:min-h-12"
          >
            Merge
          </Button>
        </>
      }
    >
      <div className="grid gap-4 pt-2">
        <Select
          label="Keep"
          value={String(kept)}
          onChange={(value) => setKept(Number(value))}
          options={products.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        {preview.error && (
          <FailedView error={preview.error} retry={() => void preview.refetch()} title="What moves did not load" />
        )}
        {preview.isPending && <SkeletonRows rows={5} />}
        {preview.data && <Moves preview={preview.data} />}
        {merge.error && (
          <p role="alert" className="text-bad-text">
            {sentenceOf(merge.error)}
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Moves({ preview }: { preview: MergePreview }) {
  return (
    <ul aria-label="What moves" className="grid gap-2">
      {preview.merged.map(({ id, name, items, slots, barcodes }) => (
        <li key={id} className="rounded border border-line px-3 py-2">
          <p className="font-medium">{name}</p>
          <p className="text-12 text-text-3">
            {countOf(slots, 'slot')}, {countOf(items, 'market item')}, {countOf(barcodes.length, 'barcode')}
          </p>
        </li>
      ))}
    </ul>
  );
}
