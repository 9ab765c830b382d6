import { type FormEvent, useId, useState } from 'react';
import type { DeliveryTold } from '../../contract/integration-review.ts';
import { countOf, formatDateTime } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { useFirstField } from '../ui/forms/first-field.ts';
import { FormButtons } from '../ui/forms/form-buttons.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { touch } from '../ui/row-to-settle.tsx';
import { useLeaveOut, useTakeBack } from './api.ts';
import { failed, sayWhenDone } from './parts.tsx';

const messages = (count: number): string => countOf(count, 'message');

/** A message that nobody will ever process leaves the list of failed ones, with a reason. */
export function LeaveOut({ delivery }: { delivery: DeliveryTold }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)} className={touch}>
        Leave out
      </Button>
      {isAsking && <LeaveOutDialog delivery={delivery} onClose={() => setAsking(false)} />}
    </>
  );
}

function LeaveOutDialog({ delivery, onClose }: { delivery: DeliveryTold; onClose: () => void }) {
  const { id, eventType, configName, alike } = delivery;
  const form = useId();
  const fields = useFirstField();
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const [withAlike, setWithAlike] = useState(false);
  const leaveOut = useLeaveOut();
  const takeBack = useTakeBack();
  const problem = isTried && reason.trim() === '' ? 'Say why' : undefined;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (reason.trim() === '') return;
    sayWhenDone(leaveOut.mutateAsync({ id, reason: reason.trim(), alike: withAlike }), (done) => {
      onClose();
      const back = (): void => void takeBack.mutateAsync({ id, alike: withAlike }).catch(failed);
      return {
        title: 'Left out',
        description: `${messages(done.messages)} of ${configName}. Kept under Left out messages.`,
        action: { label: 'Undo', run: back },
      };
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Leave out ${eventType}?`}
      description="It is not processed. The message and your reason are kept, and you can take it back."
      footer={
        <FormButtons
          form={form}
          submitLabel={withAlike ? `Leave out ${messages(alike)}` : 'Leave out'}
          pending={leaveOut.isPending}
          onCancel={onClose}
        />
      }
    >
      <form ref={fields} id={form} onSubmit={send} className="grid gap-3 pt-2" noValidate>
        <TextField label="Why" maxLength={500} value={reason} onChange={setReason} error={problem} />
        {alike > 1 && (
          <label className="flex min-h-8 items-center gap-2 max-lg:min-h-12">
            <input
              type="checkbox"
              checked={withAlike}
              onChange={(event) => setWithAlike(event.target.checked)}
              className="size-4 flex-none accent-accent max-lg:size-5"
            />
            {`All ${messages(alike)} of ${configName} that failed for this`}
          </label>
        )}
      </form>
    </Dialog>
  );
}

/** Who left a message out, when and why. */
export function LeftOut({ delivery: { leftOut } }: { delivery: DeliveryTold }) {
  if (!leftOut) return null;
  return (
    <div>
      <p className="break-words text-text-2">{`“${leftOut.reason}”`}</p>
      <p className="text-text-3">{`${leftOut.by ?? 'Somebody'}, ${formatDateTime(leftOut.at)}`}</p>
    </div>
  );
}

/** The message goes back among those that failed. */
export function TakeBack({ id }: { id: number }) {
  const takeBack = useTakeBack();
  return (
    <Button
      pending={takeBack.isPending}
      onClick={() =>
        sayWhenDone(takeBack.mutateAsync({ id, alike: false }), () => ({
          title: 'Taken back',
          description: 'The message is among those that failed again.',
        }))
      }
      className={touch}
    >
      Take back
    </Button>
  );
}
