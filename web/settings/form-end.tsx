import { Button } from '../ui/button.tsx';
import { EditConflict, type TheirChange } from '../ui/forms/edit-conflict.tsx';
import { overtakenSentence } from '../ui/forms/use-overtaken.ts';

type Form<Name extends string> = {
  failure: string | null;
  pending: boolean;
  set: (name: Name, value: string) => void;
};
type Props<Name extends string> = {
  form: Form<Name>;
  overtaken: readonly TheirChange[];
  mayChange: boolean;
  saveLabel: string;
};

/** What stands below the fields of a card of settings: what others changed, what went wrong, and the button for those who may. */
export function FormEnd<Name extends string>({ form, overtaken, mayChange, saveLabel }: Props<Name>) {
  return (
    <>
      {overtaken.length > 0 && (
        <div className="col-span-full">
          <EditConflict
            sentence={overtakenSentence}
            changes={overtaken}
            onTake={({ field, now }) => form.set(field as Name, now)}
          />
        </div>
      )}
      {form.failure && (
        <p role="alert" className="col-span-full text-bad-text">
          {form.failure}
        </p>
      )}
      {mayChange ? (
        <Button
          type="submit"
          variant="primary"
          pending={form.pending}
          pendingLabel="Saving..."
          className="col-span-full justify-self-start max-lg:min-h-12"
        >
          {saveLabel}
        </Button>
      ) : (
        <p className="col-span-full text-12 text-text-3">An administrator can change this.</p>
      )}
    </>
  );
}
