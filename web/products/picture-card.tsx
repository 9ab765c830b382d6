import { useRef, useState } from 'react';
import type { Product } from '../../contract/products.ts';
import { sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { ProductPicture } from '../ui/product-picture.tsx';
import { useRemovePicture, useSendPicture } from './api.ts';

/** How the product looks, to whoever picks and fills it. */
export function PictureCard({ product, mayChange }: { product: Product; mayChange: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const send = useSendPicture(product.id);
  const remove = useRemovePicture(product.id);
  const [isAsking, setIsAsking] = useState(false);
  const failed = send.error ?? remove.error;
  return (
    <Card title="Picture">
      <div className="grid justify-items-start gap-3 p-4">
        {product.picture ? (
          <ProductPicture productId={product.id} picture={product.picture} size={200} className="border border-line" />
        ) : (
          <p className="text-text-2">None yet. It is shown in the catalogue, the planogram and on pick lists.</p>
        )}
        {failed && (
          <p role="alert" className="text-bad-text">
            {sentenceOf(failed)}
          </p>
        )}
        {mayChange && (
          <div className="flex flex-wrap gap-2">
            <input
              ref={input}
              type="file"
              aria-label="Picture of the product"
              accept="image/jpeg,image/png,image/webp"
              className="sr-only"
              onChange={({ target }) => {
                const [file] = target.files ?? [];
                if (file) send.mutate(file);
                target.value = '';
              }}
            />
            <Button
              icon="upload"
              pending={send.isPending}
              pendingLabel="Sending..."
              onClick={() => input.current?.click()}
              className="max-lg:min-h-12"
            >
              {product.picture ? 'Replace picture' : 'Add picture'}
            </Button>
            {product.picture && (
              <Button icon="trash" onClick={() => setIsAsking(true)} className="max-lg:min-h-12">
                Remove
              </Button>
            )}
          </div>
        )}
        <ConfirmDialog
          open={isAsking}
          onClose={() => setIsAsking(false)}
          title={`Remove the picture of ${product.name}?`}
          confirmLabel="Remove picture"
          pending={remove.isPending}
          pendingLabel="Removing..."
          onConfirm={() => remove.mutate(undefined, { onSettled: () => setIsAsking(false) })}
        >
          It is deleted from the server: keep a copy if you may want it again.
        </ConfirmDialog>
      </div>
    </Card>
  );
}
