import { NeedFlag } from '../../need/why-line.tsx';
import { Badge, Flag } from '../../ui/badge.tsx';
import { ActiveBadge } from '../../ui/status-badge.tsx';
import type { Candidate } from './locations.ts';

type Props = { row: Candidate; selected: boolean; onToggle: (place: Candidate) => void };

/** A machine stands somewhere at its address: the row says where, on a line of its own. */
export const hasSpot = ({ type }: Pick<Candidate, 'type'>): boolean => type === 'vending_machine';

/** A location that can be chosen: name, route, address, position, status, and how much of it runs low. */
export function LocationRow({ row, selected, onToggle }: Props) {
  return (
    <label className={`flex h-full cursor-pointer gap-3 px-4 py-2 ${selected ? 'bg-accent-soft' : 'hover:bg-hover'}`}>
      <input
        type="checkbox"
        className="mt-0.5 size-4 flex-none cursor-pointer rounded-s accent-(--accent) max-lg:size-5"
        checked={selected}
        onChange={() => onToggle(row)}
        aria-label={row.name}
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium text-text" title={row.name}>
          {row.name}
        </span>
        <span className="flex items-center gap-2 text-12 text-text-2">
          <span className="truncate" title={row.address}>
            {row.address}
          </span>
          {row.routeDesignation && (
            <span className="ml-auto flex-none">
              <Badge tone="outline">Route {row.routeDesignation}</Badge>
            </span>
          )}
        </span>
        {hasSpot(row) && (
          <span className="block truncate text-12 text-text-3" title={row.where}>
            {row.where}
          </span>
        )}
        <span className="mt-1 flex items-center gap-2 text-12 text-text-3">
          <span className="truncate">{position(row)}</span>
          <span className="ml-auto flex-none">
            <ActiveBadge status={row.status} />
          </span>
        </span>
        <span className="flex items-center gap-2 text-12">
          <span className="min-w-0 truncate">
            <NeedFlag place={row} />
          </span>
          <span className="ml-auto flex-none">{row.lowCount > 0 && <Flag tone="warn">{row.lowCount} low</Flag>}</span>
        </span>
      </span>
    </label>
  );
}

function position({ lat, lng }: Candidate): string {
  return `${lat.toFixed(4)}, ${lng.toFixed(4)}`;
}
