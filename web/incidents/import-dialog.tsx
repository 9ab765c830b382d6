import { useId, useState } from 'react';
import type { IncidentImport } from '../../contract/incidents.ts';
import { sentenceOf } from '../http/client.ts';
import { countOf } from '../http/format.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useImportIncidents } from './api.ts';

/** Takes incidents from a CSV file; lines that were refused are listed with the reason. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const imported = useImportIncidents();
  const [name, setName] = useState<string | null>(null);

  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    setName(file.name);
    imported.mutate({ name: file.name, content: await file.text() });
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Import incidents"
      description="A CSV file with the columns title, latitude, longitude, severity and type; also radius, duration, start, end and closed."
      footer={
        <Button onClick={onClose} className="max-lg:min-h-12">
          Close
        </Button>
      }
    >
      <label htmlFor={id} className={`${buttonClass()} max-lg:min-h-12 cursor-pointer focus-within:outline-2`}>
        {imported.isPending ? 'Importing...' : 'Choose a file'}
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          disabled={imported.isPending}
          className="sr-only"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            // The same file can be chosen again once it is mended.
            event.target.value = '';
          }}
        />
      </label>
      {imported.error && (
        <p role="alert" className="mt-3 text-bad-text">
          {sentenceOf(imported.error)} Nothing was changed.
        </p>
      )}
      {imported.data && <Report name={name} report={imported.data} />}
    </Dialog>
  );
}

function Report({ name, report }: { name: string | null; report: IncidentImport }) {
  const { rows, created, updated, unchanged, refused, notes } = report;
  return (
    <div role="status" className="mt-3 grid gap-2">
      <p>
        {name}: {countOf(rows, 'row')} read, {created} new, {updated} changed, {unchanged} as before, {refused.length}{' '}
        refused.
      </p>
      {refused.length > 0 && (
        <ul className="max-h-60 overflow-y-auto rounded border border-line">
          {refused.map(({ line, reason }) => (
            <li key={line} className="border-line border-t px-3 py-1.5 first:border-t-0">
              <span className="font-medium">Line {line}</span> <span className="text-text-2">{reason}</span>
            </li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p key={note} className="text-12 text-text-3">
          {note}
        </p>
      ))}
    </div>
  );
}
