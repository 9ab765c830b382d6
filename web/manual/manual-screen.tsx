import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useParams } from 'wouter';
import { AppLink } from '../ui/address/app-link.tsx';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import type { Block, ManualPage, Picture, Run } from './page.ts';

const pages = import.meta.glob<{ page: ManualPage }>('../../docs/manual/*.md');

const nameOf = (file: string): string => /([a-zA-Z-]+)\.md$/.exec(file)?.[1] ?? '';
const loaders = new Map(Object.entries(pages).map(([file, load]) => [nameOf(file), load]));

/** Somebody who does not know what to do on a screen: its page of the manual, in a minute's reading. */
export function ManualScreen() {
  const { page: name = 'README' } = useParams<{ page?: string }>();
  const load = loaders.get(name);
  const { data, error, refetch } = useQuery({
    queryKey: ['manual', name],
    queryFn: async () => (load ? (await load()).page : null),
  });
  return (
    <div className="grid max-w-3xl gap-4 p-6 max-lg:p-4">
      <h1>{data?.title ?? 'Manual'}</h1>
      {error && <FailedView error={error} retry={() => void refetch()} title="The page did not load" />}
      {data === undefined && !error && <SkeletonRows rows={5} />}
      {data === null && (
        <Card>
          <StateView icon="search" title="This page is not in the manual" action={<Contents />} />
        </Card>
      )}
      {data && (
        <article className="grid gap-3 leading-relaxed">
          {data.blocks.map((block, index) => (
            <BlockView key={`${name}-${index}`} block={block} />
          ))}
        </article>
      )}
      {name !== 'README' && data && (
        <p className="border-line border-t pt-4">
          <Contents />
        </p>
      )}
    </div>
  );
}

const Contents = () => (
  <AppLink href="/manual" className="text-accent underline">
    All pages of the manual
  </AppLink>
);

function BlockView({ block }: { block: Block }) {
  if (block.kind === 'heading') {
    return <h2 className="pt-2">{<Runs runs={block.runs} />}</h2>;
  }
  if (block.kind === 'paragraph') {
    return (
      <p>
        <Runs runs={block.runs} />
      </p>
    );
  }
  if (block.kind === 'table') return <TableView {...block} />;
  if (block.kind === 'picture') return <PictureView {...block} />;
  const List = block.ordered ? 'ol' : 'ul';
  return (
    <List className={`grid gap-1 pl-6 ${block.ordered ? 'list-decimal' : 'list-disc'}`}>
      {block.items.map((runs, index) => (
        <li key={`item-${index}`}>
          <Runs runs={runs} />
        </li>
      ))}
    </List>
  );
}

/** Opens in full size, since the letters of a screen are small on a phone. */
function PictureView({ src, alt, width, height }: Picture) {
  const isPhone = (height ?? 0) > (width ?? 0);
  return (
    <a href={src} target="_blank" rel="noreferrer" className={isPhone ? 'w-64 max-w-full' : undefined}>
      <img
        src={src}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        className="h-auto max-w-full rounded border border-line"
      />
    </a>
  );
}

function TableView({ head, rows }: Extract<Block, { kind: 'table' }>) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <thead>
          <tr>
            {head.map((runs, index) => (
              <th key={`head-${index}`} className="border-line border-b px-2 py-1 text-left font-medium text-text-2">
                <Runs runs={runs} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={`row-${row}`} className="border-line border-b">
              {cells.map((runs, index) => (
                <td key={`cell-${index}`} className="px-2 py-1 align-top">
                  <Runs runs={runs} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Runs({ runs }: { runs: Run[] }) {
  return runs.map((run, index) => <Fragment key={`run-${index}`}>{runOf(run)}</Fragment>);
}

function runOf({ kind, text, href }: Run) {
  if (kind === 'strong') return <strong>{text}</strong>;
  if (kind === 'code') return <code className="rounded-s bg-subtle px-1">{text}</code>;
  if (kind === 'link') {
    return (
      <AppLink href={href ?? '/manual'} className="text-accent underline">
        {text}
      </AppLink>
    );
  }
  return text;
}
