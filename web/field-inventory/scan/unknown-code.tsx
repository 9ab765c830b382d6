import { useCallback, useState } from 'react';
import type { Product } from '../../../contract/products.ts';
import type { Offline } from '../../offline/offline.ts';
import { useOffline, useStored } from '../../offline/use-offline.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { giveCode } from '../barcodes/waiting-codes.ts';
import { TapButton } from '../quantity/tap-button.tsx';
import { searchProducts } from './product-by-code.ts';

type UnknownCodeProps = {
  code: string;
  userId: number;
  /** The person may change the catalogue. */
  mayWrite: boolean;
  /** Puts the code into the note of the visit; null where no location is open. */
  onNote: (() => void) | null;
  onDone: () => void;
};

/** A code the catalogue does not know: given to a product by those who may, else noted for the manager. */
export function UnknownCode({ code, userId, mayWrite, onNote, onDone }: UnknownCodeProps) {
  return (
    <section aria-label="Unknown barcode" className="grid gap-2 rounded border border-warn bg-warn-soft p-3">
      <div className="flex items-start justify-between gap-2">
        <p className="text-16 text-text">
          <strong className="font-semibold tabular-nums">{code}</strong> is not in the catalogue.
        </p>
        <TapButton icon="close" label="Leave this barcode" onClick={onDone} />
      </div>
      {mayWrite && <Assign code={code} userId={userId} onDone={onDone} />}
      {onNote && (
        <Button
          size="field"
          onClick={() => {
            onNote();
            onDone();
          }}
        >
          Note it for the manager
        </Button>
      )}
      {!onNote && !mayWrite && <p className="text-14 text-text">Open a location to note it for the manager.</p>}
    </section>
  );
}

function Assign({ code, userId, onDone }: { code: string; userId: number; onDone: () => void }) {
  const offline = useOffline();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const found = useStored(useCallback((from: Offline) => searchProducts(from, name, 5), [name])) ?? [];
  const give = async (productName: string, product: Product | null) => {
    setIsSending(true);
    const fate = await giveCode(offline, { code, userId, productId: product?.id ?? null, productName });
    setIsSending(false);
    setProblem(fate.outcome === 'refused' ? fate.problem : null);
    if (fate.outcome === 'refused') return;
    const done = product ? `Barcode added to ${productName}` : 'Product added';
    const kept = { title: 'Barcode kept on this device', description: 'It is sent by itself when there is a network.' };
    toast(fate.outcome === 'kept' ? kept : { title: done, description: code });
    onDone();
  };
  const newName = name.trim();
  return (
    <div className="grid gap-2">
      <label className="grid gap-1 text-14 text-text">
        Product
        <input
          value={name}
          maxLength={255}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          className="h-12 w-full rounded border border-line-strong bg-ground px-3 text-16 text-text"
        />
      </label>
      {problem && (
        <p role="alert" className="text-14 text-bad-text">
          {problem}
        </p>
      )}
      {found.map((product) => (
        <Button key={product.id} size="field" disabled={isSending} onClick={() => void give(product.name, product)}>
          Add to {product.name}
        </Button>
      ))}
      {newName !== '' && (
        <Button size="field" variant="primary" disabled={isSending} onClick={() => void give(newName, null)}>
          New product {newName}
        </Button>
      )}
    </div>
  );
}
