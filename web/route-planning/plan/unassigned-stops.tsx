import type { OptimizeResult } from '../../../contract/routes.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';

type Props = { stops: OptimizeResult['unassigned']; onRemove: (key: string) => void };

/** Stops no vehicle of the plan can serve, each with what stands in the way. */
export function UnassignedStops({ stops, onRemove }: Props) {
  if (stops.length === 0) return null;
  return (
    <Card title="Unassigned" count={stops.length}>
      <ul>
        {stops.map((stop) => (
          <li
            key={`${stop.type}:${stop.id}`}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-4 py-2 last:border-0"
          >
            <span className="min-w-0 flex-1 basis-48 truncate font-medium" title={stop.name}>
              {stop.name}
            </span>
            <span className="flex-1 basis-48 text-text-2">{stop.reason}</span>
            <Button onClick={() => onRemove(`${stop.type}:${stop.id}`)}>Deselect</Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
