import { Button } from './button.tsx';
import { toast } from './toasts/toast.ts';

/** A text that is entered somewhere else, whole, with a button that copies it. */
export function Copyable({ text, what }: { text: string; what: string }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: `${what} copied` });
    } catch {
      // A browser that refuses the clipboard leaves selecting by hand.
      toast({ title: 'Not copied', description: 'Select the text and copy it by hand.', variant: 'destructive' });
    }
  };
  return (
    <div className="flex min-w-0 items-center gap-2">
      <code className="min-w-0 select-all whitespace-normal break-all rounded border border-line bg-subtle px-2 py-1 text-12 leading-5">
        {text}
      </code>
      <Button
        size="small"
        aria-label={`Copy ${what.toLowerCase()}`}
        onClick={() => void copy()}
        className="flex-none max-lg:min-h-12"
      >
        Copy
      </Button>
    </div>
  );
}
