import type { Route } from '../../contract/routes.ts';
import { countOf } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';

/** Today's routes that wait for their start; with a designation chosen, its own. */
export function startable(routes: readonly Route[], designation: string): readonly Route[] {
  return routes.filter(
    (route) => route.status === 'planned' && (designation === '' || route.routeDesignation === designation),
  );
}

type Props = { routes: readonly Route[]; starting: boolean; onStart: (route: Route) => void; onClose: () => void };

/** Several routes wait today: which one starts. */
export function ChooseRouteDialog({ routes, starting, onStart, onClose }: Props) {
  return (
    <Dialog open title="Start Today's Route" onClose={onClose}>
      <ul className="grid">
        {routes.map((route) => (
          <li key={route.id} className="flex items-center gap-3 border-line border-b py-2 last:border-0">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{route.name}</span>
              <span className="block text-12 text-text-2">
                {countOf(route.totalStops, 'stop')}, {route.driverName ?? 'no driver yet'}
              </span>
            </span>
            <Button
              className="max-lg:min-h-12"
              disabled={starting}
              onClick={() => onStart(route)}
              aria-label={`Start ${route.name}`}
            >
              Start
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
