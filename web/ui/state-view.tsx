import type { ReactNode } from 'react';
import { sentenceOf } from '../http/client.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

type Props = { icon: IconName; title: string; text?: ReactNode; action?: ReactNode };

/** Empty, offline, forbidden: what it is, and the next step. */
export function StateView({ icon, title, text, action }: Props) {
  return (
    <div className="grid justify-items-center gap-2 p-6 text-center">
      <span className="text-text-3">
        <Icon name={icon} size={24} />
      </span>
      <p className="font-semibold">{title}</p>
      {text && <div className="max-w-80 text-text-2">{text}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

type FailedProps = {
  error: unknown;
  retry: () => void;
  /** Names what did not load: several sections of a screen may have failed at once. */
  title: string;
};

/** A section that did not load: what happened, and another try. The rest of the screen stays. */
export function FailedView({ error, retry, title }: FailedProps) {
  return (
    <div role="alert">
      <StateView
        icon="alert"
        title={title}
        text={sentenceOf(error)}
        action={
          <Button icon="refresh" onClick={retry} className="max-lg:min-h-12">
            Try again
          </Button>
        }
      />
    </div>
  );
}

/** The same in a line, for what a screen does without: what can be worked with stays where it is. */
export function FailedLine({ error, retry, title }: FailedProps) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 rounded border border-line-ctl px-4 py-2"
    >
      <span className="self-start pt-0.5 text-bad">
        <Icon name="alert" />
      </span>
      <p className="min-w-0 flex-1 basis-52">
        <strong className="block font-semibold">{title}</strong>
        <span className="text-text-2">{sentenceOf(error)}</span>
      </p>
      <Button icon="refresh" onClick={retry} className="max-lg:min-h-12">
        Try again
      </Button>
    </div>
  );
}
