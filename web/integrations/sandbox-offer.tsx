import { Button } from '../ui/button.tsx';

type Props = { label: string; onFill: () => void };

/** In a demo: what the stand-in of a system accepts, by one press. The form itself opens as it does anywhere else. */
export function SandboxOffer({ label, onFill }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded border border-line bg-accent-soft p-3">
      <p className="min-w-0 flex-1 basis-52">This demo has a stand-in for {label}.</p>
      <Button onClick={onFill} className="max-lg:min-h-12">
        Fill in what it accepts
      </Button>
    </div>
  );
}
