import { Button } from '../button.tsx';

type Props = { form: { isKept: boolean; discard: () => void }; className?: string };

/** Says of a form that it opened with what was typed in it before, and lets that be given up. */
export function KeptDraft({ form, className = '' }: Props) {
  if (!form.isKept) return null;
  return (
    <p role="status" className={`flex flex-wrap items-center gap-x-3 gap-y-1 text-text-2 ${className}`}>
      What you typed before is still here, not saved.
      <Button size="small" onClick={form.discard} className="max-lg:min-h-12">
        Start over
      </Button>
    </p>
  );
}
