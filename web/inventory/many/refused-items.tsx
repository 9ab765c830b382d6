import { ApiError, sentenceOf } from '../../http/client.ts';
import { countOf } from '../../http/format.ts';
import { Button } from '../../ui/button.tsx';
import { nameOf } from '../stock-cell.tsx';
import type { Picking } from './use-picked.ts';

const mostNamed = 5;

type Props = { error: unknown; ids: readonly number[]; picking: Picking; onLeftOut: () => void };

/** What the server refused, by the names of the items; without them the rest can be tried again. */
export function RefusedItems({ error, ids, picking, onLeftOut }: Props) {
  const refused = refusedOf(error, ids);
  const names = refused.flatMap((id) => picking.picked.get(id) ?? []).map(nameOf);
  const isPart = names.length > 0 && names.length < ids.length;
  return (
    <div role="alert" className="grid justify-items-start gap-2 pt-2 text-bad-text">
      <p>{sentenceOf(error)}</p>
      {names.length > 0 && <p>{listOf(names)}</p>}
      {isPart && (
        <Button
          onClick={() => {
            picking.leaveOut(refused);
            onLeftOut();
          }}
          className="max-lg:min-h-12"
        >
          Leave {names.length === 1 ? 'it' : 'them'} out
        </Button>
      )}
    </div>
  );
}

/** The first few by name, and how many more. */
export function listOf(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  const named = names.slice(0, mostNamed).join(', ');
  return rest > 0 ? `${named} and ${countOf(rest, 'more', 'more')}` : named;
}

/** `fields` names them by their place in what was sent. */
function refusedOf(error: unknown, ids: readonly number[]): number[] {
  if (!(error instanceof ApiError)) return [];
  return Object.keys(error.fields).flatMap((name) => {
    const place = /^(?:ids|items)\.(\d+)/.exec(name)?.[1];
    return place === undefined ? [] : (ids[Number(place)] ?? []);
  });
}
