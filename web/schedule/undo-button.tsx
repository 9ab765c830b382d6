import { type MouseEvent, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { type Undo, useUndo } from './undo.ts';
import { useSteps } from './use-steps.ts';

type Props = { place: string; className?: string };

/** A glove taps twice in this time without meaning to. */
const doubleTapMs = 500;

/** Takes the last step at a place back; not there when there is nothing to take back. */
export function UndoButton({ place, className = '' }: Props) {
  const undo = useUndo(place);
  return undo && <Shown key={undo.label} place={place} undo={undo} className={className} />;
}

/** It comes where the step's own button was: the second tap of a double tap would take the step back. */
function Shown({ place, undo, className }: Required<Props> & { undo: Undo }) {
  const { takeBack } = useSteps();
  const [shownAt] = useState(() => performance.now());
  const press = (event: MouseEvent): void => {
    const isTapped = event.detail > 0;
    if (!isTapped || performance.now() - shownAt > doubleTapMs) void takeBack(place, undo);
  };
  return (
    <Button size="field" icon="undo" className={className} onClick={press}>
      {undo.label}
    </Button>
  );
}
