import { useEffect, useState } from 'react';
import { Icon } from '../ui/icon.tsx';

/** How long until the next try is taken, counted down; read out once, not every second. */
export function Waiting({ seconds, onOver }: { seconds: number; onOver: () => void }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const until = performance.now() + seconds * 1000;
    setLeft(seconds);
    const timer = setInterval(() => {
      const rest = Math.ceil((until - performance.now()) / 1000);
      setLeft(rest);
      if (rest <= 0) onOver();
    }, 1000);
    return () => clearInterval(timer);
  }, [seconds, onOver]);
  return (
    <p role="alert" className="flex items-center gap-3 rounded border border-warn bg-warn-soft p-3 text-warn-text">
      <Icon name="clock" size={20} />
      <span>
        Too many tries. The next one is possible in{' '}
        <span aria-hidden="true" className="font-semibold tabular-nums">
          {inWords(left)}
        </span>
        <span className="sr-only">{inWords(seconds)}</span>.
      </span>
    </p>
  );
}

/** 3:07 min, 45 s, or whole hours from two on. */
function inWords(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, seconds)} s`;
  if (seconds >= 7_200) return `${Math.ceil(seconds / 3_600)} hours`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}
