import { type DragEvent, useId, useState } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { onDragOver } from '../ui/drag-over.ts';
import { Icon } from '../ui/icon.tsx';
import { mostText } from './api.ts';

type Props = { pending: boolean; onChoose: (file: File) => void };

/** A place to drop a file on, and the same with a button. */
export function FileDrop({ pending, onChoose }: Props) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (file: File | undefined): void => {
    setOver(false);
    if (file && !pending) onChoose(file);
  };
  const hold = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same for keyboards
    <div
      {...onDragOver(hold)}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer.files[0]);
      }}
      className={`grid justify-items-center gap-3 rounded border border-dashed px-4 py-10 text-center ${over ? 'border-accent bg-accent-soft' : 'border-line-strong bg-subtle'}`}
    >
      <span className="text-text-3">
        <Icon name="upload" size={24} />
      </span>
      <p role="status" className="font-semibold">
        {pending ? 'Reading the file...' : 'Drop a file here'}
      </p>
      <label
        htmlFor={id}
        className={`${buttonClass({ variant: 'primary' })} cursor-pointer focus-within:outline-2 focus-within:outline-offset-2 max-lg:min-h-12 ${pending ? 'opacity-60' : ''}`}
      >
        Choose a file
        <input
          id={id}
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,.gz,text/csv"
          disabled={pending}
          className="sr-only"
          onChange={(event) => {
            take(event.target.files?.[0]);
            // The same file can be chosen again once it is mended.
            event.target.value = '';
          }}
        />
      </label>
      <p className="max-w-100 text-text-2">CSV, TSV or Excel (.xlsx), also as .gz, up to {mostText}.</p>
    </div>
  );
}
