import { StateShape } from '../badge.tsx';
import { Button } from '../button.tsx';

/** A field that somebody else changed while it was being edited here. */
export type TheirChange = {
  field: string;
  label: string;
  was: string;
  now: string;
  /** What is typed here instead; null where this person changed nothing and theirs was taken over. */
  mine: string | null;
};

type Values = Record<string, string>;

/** The fields that a person knows by name. */
export type Labels<V extends Values> = Partial<Record<keyof V & string, string>>;

/** What changed between two states of a row, in the words of a form; `typed` is what stands in it. */
export function theirChanges<V extends Values>(
  labels: Labels<V>,
  { base, newest, typed }: { base: V; newest: V; typed: V },
): TheirChange[] {
  const fields = Object.keys(labels) as (keyof V & string)[];
  return fields.flatMap((field) => {
    const [was, now, mine] = [base[field] ?? '', newest[field] ?? '', typed[field] ?? ''];
    if (was === now) return [];
    return [{ field, label: labels[field] ?? field, was, now, mine: mine === was || mine === now ? null : mine }];
  });
}

type Props = {
  /** Who was quicker. */
  sentence: string;
  changes: readonly TheirChange[];
  onTake: (change: TheirChange) => void;
};

/** Tells the second of two people what the first one changed; nothing typed is lost. */
export function EditConflict({ sentence, changes, onTake }: Props) {
  return (
    <div role="alert" className="rounded border border-warn bg-warn-soft p-3">
      <p className="flex items-center gap-2 font-semibold text-warn-text">
        <StateShape tone="warn" />
        {sentence}
      </p>
      <ul className="mt-2 grid gap-2">
        {changes.map((change) => (
          <li key={change.field} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 flex-1">
              <span className="font-medium">{change.label}</span>: {quoted(change.was)} is now {quoted(change.now)}.{' '}
              {change.mine === null ? 'Taken over here.' : `Yours is kept: ${quoted(change.mine)}.`}
            </span>
            {change.mine !== null && (
              <Button size="small" className="max-lg:min-h-12" onClick={() => onTake(change)}>
                Take theirs
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function quoted(text: string): string {
  return text === '' ? 'empty' : `'${text}'`;
}
