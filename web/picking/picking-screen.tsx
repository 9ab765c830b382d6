import { dayOf } from '../ui/address/day-of.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { DayPicker } from '../ui/forms/day-picker.tsx';
import { useToday } from '../ui/use-today.ts';
import { RouteCards } from './route-cards.tsx';
import { Sheet } from './sheet.tsx';

/** A warehouse picker before the trucks leave: which routes to pick, what goes into which tote, what is short. */
export function PickingScreen() {
  const { get, set } = useAddress();
  const now = useToday();
  const day = dayOf(get('date')) ?? now;
  const routeId = Number(get('route')) || null;
  if (routeId) return <Sheet key={routeId} routeId={routeId} onBack={() => set({ route: null, by: null })} />;
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h1>Pick Lists</h1>
        <DayPicker day={day} onChange={(date) => set({ date })} />
      </header>
      <RouteCards day={day} onOpen={(id) => set({ route: String(id) })} onDay={(date) => set({ date })} />
    </div>
  );
}
