import { Flag, type Tone } from '../ui/badge.tsx';
import type { ItemState } from './day/overlay.ts';

type Shown = Exclude<ItemState, 'none'>;

/** The state of a change, in words. */
export const stateWord: Record<Shown, string> = {
  draft: 'Draft',
  saved_on_phone: 'Saved on this device',
  sending: 'Sending',
  saved: 'Saved',
  superseded: 'Superseded',
  needs_attention: 'Needs attention',
};

const stateTone: Record<Shown, Tone> = {
  draft: 'idle',
  saved_on_phone: 'idle',
  sending: 'run',
  saved: 'ok',
  superseded: 'idle',
  needs_attention: 'bad',
};

/** Where a change is: on this screen, on this phone, under way, or with the server. */
export function StateWord({ state }: { state: ItemState }) {
  if (state === 'none') return null;
  return (
    <span className="text-14">
      <Flag tone={stateTone[state]}>{stateWord[state]}</Flag>
    </span>
  );
}
