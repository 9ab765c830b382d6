import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { toast } from '../ui/toasts/toast.ts';

/** The codes, shown this once. */
export function RecoveryDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      toast({ title: 'Copied' });
    } catch {
      // A browser that refuses the clipboard leaves selecting by hand.
      toast({ variant: 'destructive', title: 'Not copied', description: 'Select the codes and copy them yourself.' });
    }
  };
  return (
    <Dialog
      open
      steady
      onClose={onClose}
      title="Keep These Recovery Codes"
      description="Each lets you in once when your device is lost. They are not shown again: print them or put them in a password manager."
      footer={
        <>
          <Button className="max-lg:min-h-12" onClick={() => void copy()}>
            Copy
          </Button>
          <Button variant="primary" className="max-lg:min-h-12" onClick={onClose}>
            I kept them
          </Button>
        </>
      }
    >
      <ul className="grid grid-cols-2 gap-x-4 gap-y-2 rounded border border-line bg-subtle p-4 max-sm:grid-cols-1">
        {codes.map((code) => (
          <li key={code}>
            <code className="select-all text-16">{code}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
