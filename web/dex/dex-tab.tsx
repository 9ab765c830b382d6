import { useRef, useState } from 'react';
import type { DexReadSummary } from '../../contract/dex.ts';
import { integrationSystem } from '../../domain/integration.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { useMay } from '../auth/api.ts';
import { formatDateTime, formatNumber } from '../http/format.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useAddDexRead, useDexReads } from './api.ts';
import { LinksDialog } from './links-dialog.tsx';
import { ReadingDetail } from './reading-detail.tsx';

/** DEX files of a machine: what came, what each says, and what was sold between them. */
export function DexTab({ machineId }: { machineId: number }) {
  const reads = useDexReads(machineId);
  const [asked, setAsked] = useState<number | null>(null);
  const list = reads.data?.pages.flatMap((page) => page.reads) ?? [];
  const chosen = list.find(({ id }) => id === asked) ?? list[0];
  return (
    <div className="grid grid-cols-[minmax(0,20rem)_minmax(0,1fr)] items-start gap-4 max-xl:grid-cols-1">
      <Card
        title="DEX files"
        {...(reads.data ? { count: reads.data.pages[0]?.total ?? 0 } : {})}
        actions={<Actions machineId={machineId} hasReads={list.length > 0} />}
      >
        {reads.isPending && <SkeletonRows rows={5} />}
        {reads.error && list.length === 0 && (
          <FailedView error={reads.error} retry={() => void reads.refetch()} title="DEX files did not load" />
        )}
        {reads.data && list.length === 0 && (
          <StateView
            icon="upload"
            title="No DEX files yet"
            text="Hand in the file that a handheld or telemeter read. Sales are counted from the second one on."
          />
        )}
        <ul>
          {list.map((read) => (
            <ReadRow key={read.id} read={read} isChosen={read.id === chosen?.id} onChoose={() => setAsked(read.id)} />
          ))}
        </ul>
        {reads.hasNextPage && (
          <Button
            className="m-4 max-lg:min-h-12"
            pending={reads.isFetchingNextPage}
            pendingLabel="Loading..."
            onClick={() => void reads.fetchNextPage()}
          >
            Show older files
          </Button>
        )}
      </Card>
      {chosen && <ReadingDetail key={chosen.id} machineId={machineId} readId={chosen.id} />}
    </div>
  );
}

function Actions({ machineId, hasReads }: { machineId: number; hasReads: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const add = useAddDexRead(machineId);
  const [linking, setLinking] = useState(false);
  const mayWrite = useMay('office:write');
  return (
    <>
      {hasReads && mayWrite && (
        <Button icon="link" className="max-lg:min-h-12" onClick={() => setLinking(true)}>
          Slots
        </Button>
      )}
      <Button
        icon="upload"
        variant="primary"
        className="max-lg:min-h-12"
        pending={add.isPending}
        pendingLabel="Reading..."
        onClick={() => input.current?.click()}
      >
        Add file
      </Button>
      <input
        ref={input}
        type="file"
        aria-label="DEX file"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) add.mutate(file);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      {linking && <LinksDialog machineId={machineId} onClose={() => setLinking(false)} />}
    </>
  );
}

const outcomes: Record<DexReadSummary['outcome'], { tone: Tone; label: string }> = {
  sales: { tone: 'ok', label: 'Booked' },
  baseline: { tone: 'idle', label: 'Start of count' },
  older: { tone: 'idle', label: 'Older' },
  damaged: { tone: 'bad', label: 'Damaged' },
};

function originOf(origin: string): string {
  if (origin === 'upload') return 'handed in';
  const system = integrationSystem.safeParse(origin.replace(/:.*/, ''));
  return system.success ? `from ${systemLabel[system.data]}` : origin;
}

type RowProps = { read: DexReadSummary; isChosen: boolean; onChoose: () => void };

function ReadRow({ read, isChosen, onChoose }: RowProps) {
  const { tone, label } = outcomes[read.outcome];
  return (
    <li className="border-line border-b last:border-b-0">
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        className="grid min-h-14 w-full gap-1 border-transparent border-l-2 px-4 py-2 text-left hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft"
      >
        <span className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate font-semibold">{formatDateTime(read.readAt)}</span>
          <Badge tone={tone}>{label}</Badge>
        </span>
        <span className="truncate text-12 text-text-2">
          {read.soldVends === null ? 'Nothing to compare with' : `${formatNumber(read.soldVends)} sold since`},{' '}
          {originOf(read.origin)}
        </span>
      </button>
    </li>
  );
}
