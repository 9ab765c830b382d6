import { Button } from '../button.tsx';

type Props = {
  /** The id of the form that is sent. */
  form: string;
  submitLabel: string;
  pending: boolean;
  pendingLabel?: string | undefined;
  onCancel: () => void;
};

/** The foot of a dialog that holds a form. */
export function FormButtons({ form, submitLabel, pending, pendingLabel = 'Saving...', onCancel }: Props) {
  return (
    <>
      <Button onClick={onCancel} className="max-lg:min-h-12">
        Cancel
      </Button>
      <Button
        type="submit"
        form={form}
        variant="primary"
        pending={pending}
        pendingLabel={pendingLabel}
        className="max-lg:min-h-12"
      >
        {submitLabel}
      </Button>
    </>
  );
}
