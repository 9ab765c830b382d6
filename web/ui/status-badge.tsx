import type { ComponentProps } from 'react';
import { Badge } from './badge.tsx';

type Word = { tone: ComponentProps<typeof Badge>['tone']; label: string };

function Known({ words, value }: { words: Record<string, Word>; value: string }) {
  const word = words[value];
  if (!word) return <Badge tone="outline">{value}</Badge>;
  return <Badge tone={word.tone}>{word.label}</Badge>;
}

const locationWords: Record<string, Word> = {
  active: { tone: 'ok', label: 'Active' },
  maintenance: { tone: 'warn', label: 'Maintenance' },
  inactive: { tone: 'idle', label: 'Inactive' },
};
/** Any other status is shown as it is, outlined. */
export const LocationStatusBadge = ({ status }: { status: string }) => <Known words={locationWords} value={status} />;

/** Where places are picked for a day only one thing tells them apart: whether one is active. */
export const ActiveBadge = ({ status }: { status: string }) => (
  <Badge tone={status === 'active' ? 'ok' : 'idle'}>{locationWords[status]?.label ?? status}</Badge>
);

const routeWords: Record<string, Word> = {
  planned: { tone: 'idle', label: 'Planned' },
  in_progress: { tone: 'run', label: 'In progress' },
  completed: { tone: 'ok', label: 'Completed' },
};
export const RouteStatusBadge = ({ status }: { status: string }) => <Known words={routeWords} value={status} />;

const severityWords: Record<string, Word> = {
  critical: { tone: 'grave', label: 'Critical' },
  high: { tone: 'bad', label: 'High' },
  medium: { tone: 'warn', label: 'Medium' },
  low: { tone: 'idle', label: 'Low' },
};
export const SeverityBadge = ({ severity }: { severity: string }) => <Known words={severityWords} value={severity} />;
