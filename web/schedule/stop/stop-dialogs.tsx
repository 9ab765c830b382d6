import { useState } from 'react';
import { textProblem } from '../../../domain/plain-text.ts';
import { countOf } from '../../http/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';

export const skipReasons = ['Closed', 'No access', 'No time', 'Not needed'];

type SkipProps = { name: string; onSkip: (reason: string) => void; onClose: () => void };

/** One tap on a reason skips; another one can be typed. */
export function SkipDialog({ name, onSkip, onClose }: SkipProps) {
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const own = (): void => {
    setTried(true);
    if (!reasonProblem(typed)) onSkip(typed.trim());
  };
  return (
    <Dialog open onClose={onClose} title={`Skip ${name}?`} description="Why is it left out today?">
      <div className="grid gap-2">
        <div className="grid grid-cols-2 gap-2">
          {skipReasons.map((reason) => (
            <Button key={reason} size="thumb" onClick={() => onSkip(reason)}>
              {reason}
            </Button>
          ))}
        </div>
        <TextField
          size="field"
          label="Another reason"
          maxLength={255}
          value={typed}
          error={tried ? reasonProblem(typed) : undefined}
          onChange={setTyped}
        />
        <Button size="field" onClick={own}>
          Skip with this reason
        </Button>
      </div>
    </Dialog>
  );
}

/** What is wrong with a reason as it was typed. */
export function reasonProblem(reason: string): string | undefined {
  return textProblem(reason) ?? (reason.trim() ? undefined : 'Give a reason');
}

type AheadProps = { name: string; count: number; onGo: () => void; onClose: () => void };

/** Asks before the planned order is left; both answers are fine. */
export function AheadDialog({ name, count, onGo, onClose }: AheadProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`You are ${countOf(count, 'stop')} ahead of the plan: go here first?`}
      description={`${name}. The stops before it stay open.`}
    >
      <div className="grid gap-2">
        <Button size="thumb" variant="primary" onClick={onGo}>
          Go here first
        </Button>
        <Button size="thumb" onClick={onClose}>
          Keep the plan
        </Button>
      </div>
    </Dialog>
  );
}

type DraftsProps = { name: string; drafts: number; inventory: string; onSave: () => void; onClose: () => void };

/** Counts typed and not saved are said before the stop is completed over them. */
export function DraftsDialog({ name, drafts, inventory, onSave, onClose }: DraftsProps) {
  const changes = `${countOf(drafts, 'change')} ${drafts === 1 ? 'is' : 'are'}`;
  return (
    <Dialog open onClose={onClose} title={`${changes} not saved at ${name}`} description="Save them with the stop?">
      <div className="grid gap-2">
        <Button size="thumb" variant="primary" onClick={onSave}>
          Save and complete
        </Button>
        <a
          href={inventory}
          target="_blank"
          rel="noreferrer"
          className="grid min-h-14 place-items-center rounded border border-line-ctl px-4 font-semibold text-16"
          onClick={onClose}
        >
          Look at them first
        </a>
      </div>
    </Dialog>
  );
}
