import { useMutation } from '@tanstack/react-query';
import { checkExport } from '../../contract/archive.ts';
import { call, sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';

/** All of the operator's data, to carry away. */
export function DataCard() {
  // Of a download that is refused a browser shows no word: what the server says is asked before.
  const check = useMutation({ mutationFn: () => call(checkExport, {}), onSuccess: download });
  return (
    <Card title="Your Data">
      <div className="grid max-w-2xl gap-3 p-4">
        <p className="text-text-2">
          Everything in this Milkrun as a ZIP of CSV files, one a table, with checksums. Another Milkrun reads it with{' '}
          <code>milkrun restore FILE</code>. Each night a backup is kept on the server as well.
        </p>
        {check.error && (
          <p role="alert" className="text-bad-text">
            {sentenceOf(check.error)}
          </p>
        )}
        <Button
          icon="download"
          pending={check.isPending}
          pendingLabel="Asking for room..."
          onClick={() => check.mutate()}
          className="justify-self-start max-lg:min-h-12"
        >
          Export everything
        </Button>
        {check.isSuccess && (
          <p role="status" className="text-text-2">
            Asked for. The browser shows the download as soon as the archive is made, which can take minutes.
          </p>
        )}
      </div>
    </Card>
  );
}

/** The browser itself shows how far a large file is, and says when it breaks off; nothing of it is held here. */
function download(): void {
  const link = document.createElement('a');
  link.href = '/api/export/everything';
  link.download = '';
  link.click();
}
