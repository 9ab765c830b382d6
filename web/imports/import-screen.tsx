import { type ImportKind, importKinds } from '../../contract/imports.ts';
import { useSession } from '../auth/api.ts';
import { maySendAgain, sentenceOf } from '../http/client.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Select } from '../ui/forms/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { dropFile, useReading, useSendFile } from './api.ts';
import { ChosenFile } from './chosen-file.tsx';
import { FileDrop } from './file-drop.tsx';
import { PastImports } from './past-imports.tsx';
import { hintOf, kindWords } from './wording.ts';

/** The route manager's way in: a messy export of an old system becomes markets, machines, products, slots and sales. */
export function ImportScreen() {
  const { get, set } = useAddress();
  const kind = importKinds.find((one) => one === get('kind')) ?? null;
  const id = Number(get('file')) || null;
  const sending = useSendFile();
  const choose = (file: File): void =>
    sending.mutate({ file, kind }, { onSuccess: (upload) => set({ file: String(upload.id), kind: upload.kind }) });
  const leave = (): void => {
    if (id) dropFile(id);
    sending.reset();
    set({ file: null });
  };
  return (
    <div className="grid min-w-0 gap-4 p-6 max-lg:p-4">
      <header className="grid gap-1">
        <h1>Import</h1>
        <p className="max-w-180 text-text-2">
          Bring the export of another system. A check shows everything before anything is changed; the same file a
          second time changes nothing. An import can be undone as a whole.
        </p>
      </header>
      {id && kind ? (
        <Opened id={id} kind={kind} onKind={(next) => set({ kind: next })} onLeave={leave} />
      ) : (
        <Card>
          <div className="grid gap-4 p-4">
            <KindSelect kind={kind} onKind={(next) => set({ kind: next })} />
            <FileDrop pending={sending.isPending} onChoose={choose} />
            {sending.error && <NotSent sending={sending} onAgain={choose} />}
          </div>
        </Card>
      )}
      <PastImports />
    </div>
  );
}

type NotSentProps = { sending: ReturnType<typeof useSendFile>; onAgain: (file: File) => void };

/** What did not get through needs not be found on the disk once more. */
function NotSent({ sending: { error, variables }, onAgain }: NotSentProps) {
  const file = maySendAgain(error) ? variables?.file : undefined;
  return (
    <div role="alert" className="grid justify-items-start gap-2 text-bad-text">
      <p>{file ? `${file.name} was not sent. ${sentenceOf(error)}` : sentenceOf(error)}</p>
      {file && (
        <Button onClick={() => onAgain(file)} className="max-lg:min-h-12">
          Send it again
        </Button>
      )}
    </div>
  );
}

type OpenedProps = { id: number; kind: ImportKind; onKind: (kind: ImportKind | null) => void; onLeave: () => void };

function Opened({ id, kind, onKind, onLeave }: OpenedProps) {
  const reading = useReading(id, kind);
  const another = (
    <Button icon="upload" onClick={onLeave} className="max-lg:min-h-12">
      Choose another file
    </Button>
  );
  return (
    <>
      <Card title={<span className="wrap-anywhere">{reading.data?.name ?? 'File'}</span>} actions={another}>
        <div className="p-4">
          <KindSelect kind={kind} onKind={onKind} isKnown />
        </div>
      </Card>
      {reading.error && (
        <Card>
          <FailedView error={reading.error} retry={() => void reading.refetch()} title="The file did not load" />
        </Card>
      )}
      {reading.isPending && (
        <Card title="Columns">
          <SkeletonRows rows={5} className="h-12" />
        </Card>
      )}
      {reading.data && <ChosenFile key={`${id}-${kind}`} upload={reading.data} />}
    </>
  );
}

type KindProps = { kind: ImportKind | null; onKind: (kind: ImportKind | null) => void; isKnown?: boolean };

function KindSelect({ kind, onKind, isKnown = false }: KindProps) {
  const { map } = useSession();
  const seen = { value: '', label: 'As its columns say' };
  return (
    <div className="grid max-w-100 gap-1">
      <Select
        label="What the file holds"
        value={kind ?? ''}
        onChange={(value) => onKind(importKinds.find((one) => one === value) ?? null)}
        options={[
          ...(isKnown ? [] : [seen]),
          ...importKinds.map((one) => ({ value: one, label: kindWords[one].label })),
        ]}
      />
      {kind && <p className="text-12 text-text-3">{hintOf(kind, map.findsAddresses ?? false)}</p>}
    </div>
  );
}
