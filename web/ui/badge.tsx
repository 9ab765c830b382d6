import type { ReactNode } from 'react';

export type Tone = 'ok' | 'warn' | 'bad' | 'idle' | 'run' | 'outline';
/** What a badge alone can be: graver than bad, filled. */
type BadgeTone = Tone | 'grave';

const looks: Record<BadgeTone, string> = {
  grave: 'bg-bad text-on-state',
  ok: 'bg-ok-soft text-ok-text',
  warn: 'bg-warn-soft text-warn-text',
  bad: 'bg-bad-soft text-bad-text',
  idle: 'bg-idle-soft text-idle-text',
  run: 'bg-accent-soft text-accent',
  outline: 'border border-line-strong text-text-2',
};
const shapeColours: Record<Tone, string> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  idle: 'text-idle',
  run: 'text-accent',
  outline: 'text-idle',
};

/** State is never told by colour alone: circle good, triangle look, diamond act, ring at rest, half under way. */
export function StateShape({ tone, size = 10 }: { tone: Tone; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 10 10"
      aria-hidden="true"
      className={`flex-none ${shapeColours[tone]}`}
    >
      {tone === 'ok' && <circle cx="5" cy="5" r="4" fill="currentColor" />}
      {tone === 'warn' && <path d="M5 .8 9.600 9H.4z" fill="currentColor" />}
      {tone === 'bad' && <path d="M5 .3 9.700 5 5 9.700.3 5z" fill="currentColor" />}
      {(tone === 'idle' || tone === 'outline') && (
        <circle cx="5" cy="5" r="3.300" fill="none" stroke="currentColor" strokeWidth="1.600" />
      )}
      {tone === 'run' && (
        <>
          <circle cx="5" cy="5" r="3.700" fill="none" stroke="currentColor" strokeWidth="1.300" />
          <path d="M5 1.300a3.700 3.700 0 0 1 0 7.400z" fill="currentColor" />
        </>
      )}
    </svg>
  );
}

/** The diamond of what is bad, in the colour of the words on its filled badge. */
const GraveShape = () => (
  <svg width={10} height={10} viewBox="0 0 10 10" aria-hidden="true" className="flex-none">
    <path d="M5 .3 9.700 5 5 9.700.3 5z" fill="currentColor" />
  </svg>
);

export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex h-5 items-center gap-1.5 whitespace-nowrap rounded-s px-1.5 font-medium text-12 ${looks[tone]}`}
    >
      {tone === 'grave' && <GraveShape />}
      {tone !== 'outline' && tone !== 'grave' && <StateShape tone={tone} />}
      {children}
    </span>
  );
}

/** A word of state inside a line of text. */
export function Flag({ tone, children }: { tone: Tone; children: ReactNode }) {
  const text = {
    ok: 'text-ok-text',
    warn: 'text-warn-text',
    bad: 'text-bad-text',
    idle: 'text-idle-text',
    run: 'text-accent',
    outline: 'text-text-2',
  };
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap font-medium ${text[tone]}`}>
      <StateShape tone={tone} />
      {children}
    </span>
  );
}
