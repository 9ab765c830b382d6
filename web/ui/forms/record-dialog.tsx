import { type ReactNode, useId } from 'react';
import { Dialog } from '../dialogs/dialog.tsx';
import { EditConflict, type TheirChange } from './edit-conflict.tsx';
import { useFirstField } from './first-field.ts';
import type { useForm } from './form.ts';
import { FormButtons } from './form-buttons.tsx';
import { KeptDraft } from './kept-draft.tsx';

type Props = {
  /** What is added or saved, e.g. Market. */
  noun: string;
  /** Of the record that is changed; undefined: a new one is added. */
  name: string | undefined;
  form: Pick<ReturnType<typeof useForm>, 'submit' | 'pending' | 'failure' | 'isKept' | 'discard'>;
  /** What somebody else changed meanwhile, and how theirs is taken. */
  conflict?: { sentence: string; changes: readonly TheirChange[] } | null;
  onTake?: (change: TheirChange) => void;
  onClose: () => void;
  /** The fields, in two columns. */
  children: ReactNode;
};

/** The dialog that adds a record or changes one; mount it to open it. */
export function RecordDialog({ noun, name, form, conflict = null, onTake = () => {}, onClose, children }: Props) {
  const id = useId();
  const { submit, pending, failure } = form;
  const fields = useFirstField();
  const isNew = name === undefined;
  const cancel = (): void => {
    form.discard();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? `Add ${noun}` : `Edit ${name}`}
      footer={
        <FormButtons form={id} submitLabel={`${isNew ? 'Add' : 'Save'} ${noun}`} pending={pending} onCancel={cancel} />
      }
    >
      <form ref={fields} id={id} noValidate onSubmit={submit} className="grid grid-cols-2 items-start gap-4 pt-2">
        <KeptDraft form={form} className="col-span-2" />
        {conflict && conflict.changes.length > 0 && (
          <div className="col-span-2">
            <EditConflict {...conflict} onTake={onTake} />
          </div>
        )}
        {children}
        {failure && failure !== shownSentence(conflict) && (
          <p role="alert" className="col-span-2 text-bad-text">
            {failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** The conflict says it already, where there is something to tell. */
const shownSentence = (conflict: Props['conflict']): string | undefined =>
  conflict?.changes.length ? conflict.sentence : undefined;
