import { lazy, Suspense, useState } from 'react';
import { Button } from './button.tsx';
import type { Exported } from './export-dialog.tsx';

const ExportDialog = lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }));

type Props<R> = {
  exported: Exported<R>;
  /** Rows there are; unknown while they load. */
  total: number | undefined;
};

/** Opens the choice of formats for the rows a list shows. */
export function ExportButton<R>({ exported, total }: Props<R>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button icon="download" disabled={!total} onClick={() => setIsOpen(true)} className="max-lg:min-h-12">
        Export
      </Button>
      <Suspense>
        {isOpen && (
          <ExportDialog {...(exported as Exported<unknown>)} total={total ?? 0} onClose={() => setIsOpen(false)} />
        )}
      </Suspense>
    </>
  );
}
