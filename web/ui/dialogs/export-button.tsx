import { useState } from 'react';
import { lateDialog } from '../address/late-code.tsx';
import { Button } from '../button.tsx';
import type { Exported } from './export-dialog.tsx';

const ExportDialog = lateDialog('Export', async () => (await import('./export-dialog.tsx')).ExportDialog);

type Props<R> = {
  exported: Exported<R>;
  /** Rows there are; unknown while they load. */
  total: number | undefined;
  /** What a screen with several exports calls this one. */
  label?: string;
};

/** Opens the choice of formats for the rows a list shows. */
export function ExportButton<R>({ exported, total, label }: Props<R>) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        icon="download"
        aria-label={label}
        disabled={!total}
        onClick={() => setIsOpen(true)}
        className="max-lg:min-h-12"
      >
        Export
      </Button>
      {isOpen && (
        <ExportDialog {...(exported as Exported<unknown>)} total={total ?? 0} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
