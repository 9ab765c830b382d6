import { useState } from 'react';
import type { PastImport } from '../../contract/imports.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDateTime, formatNumber } from '../http/format.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { usePastImports, useUndoImport } from './api.ts';
import { kindLabel } from './wording.ts';

/** What was imported before, by whom, and the way to take it back. */
export function PastImports() {
  const past = usePastImports();
  const [asked, setAsked] = useState<PastImport | null>(null);
  const found = past.data?.pages.flatMap(({ imports }) => imports);
  return (
    <Card title="Past imports">
      {past.error && (
        <FailedView error={past.error} retry={() => void past.refetch()} title="Past imports did not load" />
      )}
      {past.isPending && <SkeletonRows rows={5} />}
      {found?.length === 0 && (
        <p className="px-4 py-3 text-text-2">Nothing was imported yet. What is imported is listed here.</p>
      )}
      {found && found.length > 0 && (
        <ul aria-label="Past imports">
          {found.map((one) => (
            <PastRow key={one.id} past={one} onUndo={() => setAsked(one)} />
          ))}
        </ul>
      )}
      {past.hasNextPage && (
        <div className="border-line border-t p-3">
          <Button
            pending={past.isFetchingNextPage}
            pendingLabel="Loading..."
            onClick={() => void past.fetchNextPage()}
            className="max-lg:min-h-12"
          >
            Show older imports
          </Button>
        </div>
      )}
      {asked && <UndoDialog past={asked} onClose={() => setAsked(null)} />}
    </Card>
  );
}

const figuresOf = ({ created, updated, unchanged, refused }: PastImport): string =>
  [
    `${formatNumber(created)} new`,
    `${formatNumber(updated)} changed`,
    `${formatNumber(unchanged)} unchanged`,
    ...(refused ? [`${formatNumber(refused)} refused`] : []),
  ].join(', ');

function PastRow({ past, onUndo }: { past: PastImport; onUndo: () => void }) {
  const { kind, file, importedBy, importedAt, undoneAt, undoneBy, canUndo } = past;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2 last:border-b-0">
      <div className="grid min-w-0 flex-1 basis-60">
        <span className="wrap-anywhere font-medium">{file}</span>
        <span className="text-12 text-text-3">
          {`${kindLabel(kind)} · ${formatDateTime(importedAt)} · ${importedBy ?? 'at the server’s command line'}`}
        </span>
        <span className="text-text-2 tabular-nums">{figuresOf(past)}</span>
      </div>
      {undoneAt && (
        <span className="grid justify-items-end">
          <Badge tone="idle">Undone</Badge>
          <span className="text-12 text-text-3">{`${formatDateTime(undoneAt)}${undoneBy ? ` · ${undoneBy}` : ''}`}</span>
        </span>
      )}
      {canUndo && (
        <Button icon="undo" onClick={onUndo} aria-label={`Undo the import of ${file}`} className="max-lg:min-h-12">
          Undo
        </Button>
      )}
    </li>
  );
}

function UndoDialog({ past, onClose }: { past: PastImport; onClose: () => void }) {
  const undo = useUndoImport();
  const confirm = (): void =>
    undo.mutate(past.id, {
      onSuccess: () => {
        toast({ title: 'Import undone', description: past.file });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Undo this import?"
      confirmLabel="Undo import"
      onConfirm={confirm}
      pending={undo.isPending}
      pendingLabel="Undoing..."
    >
      <p className="wrap-anywhere">{`${past.file}, ${formatDateTime(past.importedAt)}`}</p>
      <p className="text-text-2">
        {`What it made goes (${formatNumber(past.created)}), what it changed reads as before (${formatNumber(past.updated)}). If somebody changed or used any of it since, nothing is undone and you are told what it is.`}
      </p>
      {undo.isPending && (
        <p role="status" className="mt-2 text-text-2">
          Taking it back as a whole. Tens of thousands of rows take some seconds; leaving this page does not stop it.
        </p>
      )}
      {undo.error && (
        <p role="alert" className="mt-2 text-bad-text">
          {sentenceOf(undo.error)}
        </p>
      )}
    </ConfirmDialog>
  );
}
