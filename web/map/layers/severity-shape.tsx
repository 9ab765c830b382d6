import type { Severity } from '../map-data.ts';

/** Outlines on a 24 px field, sharper the worse: round, triangle, diamond, octagon. */
export const severityOutline: Record<Severity, string> = {
  low: 'M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 1 0 0-19Z',
  medium: 'M12 1.5 23.5 21.5H.5Z',
  high: 'M12 .5 23.5 12 12 23.5.5 12Z',
  critical: 'M7.5 1h9L23 7.5v9L16.5 23h-9L1 16.5v-9Z',
};

/** High and critical share the colour of what must be acted on; their shapes and words differ. */
export const severityColour: Record<Severity, string> = {
  low: 'var(--idle)',
  medium: 'var(--warn)',
  high: 'var(--bad)',
  critical: 'var(--bad-text)',
};

/** The mark of a severity as the map draws it, for lists. Decorative: the word stands beside it. */
export function SeverityShape({ severity, size = 20 }: { severity: Severity; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="flex-none">
      <path d={severityOutline[severity]} fill={severityColour[severity]} />
      <path d="M12 7.5v5.5M12 16v.6" fill="none" stroke="var(--on-state)" strokeWidth={2} strokeLinecap="round" />
    </svg>
  );
}
