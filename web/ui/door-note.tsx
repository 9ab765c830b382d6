import { durationText } from '../../domain/units.ts';
import { formatTime } from '../http/format.ts';

type Met = {
  /** When somebody comes there; null where that is not known. */
  at: string | null;
  /** Of the opening that the plan reckons with; null or absent: open at any time. */
  opensAt?: string | null | undefined;
  closesAt?: string | null | undefined;
};

/** What somebody meets who comes too early or too late. Nothing where the door is open. */
export function DoorNote({ at, opensAt, closesAt, className = '' }: Met & { className?: string }) {
  const text = doorText({ at, opensAt, closesAt });
  return text && <span className={`text-12 text-warn-text ${className}`}>{text}</span>;
}

function doorText({ at, opensAt, closesAt }: Met): string | null {
  if (!at) return null;
  const ms = Date.parse(at);
  const waitMin = opensAt ? Math.round((Date.parse(opensAt) - ms) / 60_000) : 0;
  if (opensAt && waitMin > 0) return `Opens at ${formatTime(opensAt)}: ${durationText(waitMin)} to wait`;
  if (closesAt && ms > Date.parse(closesAt)) return `Closed since ${formatTime(closesAt)}`;
  return null;
}
