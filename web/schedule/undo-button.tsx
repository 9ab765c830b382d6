import { Button } from '../ui/button.tsx';
import { useUndo } from './undo.ts';
import { useSteps } from './use-steps.ts';

/** Takes the last step at a place back; not there when there is nothing to take back. */
export function UndoButton({ place, className = '' }: { place: string; className?: string }) {
  const undo = useUndo(place);
  const { takeBack } = useSteps();
  if (!undo) return null;
  return (
    <Button size="field" icon="undo" className={className} onClick={() => void takeBack(place, undo)}>
      {undo.label}
    </Button>
  );
}
