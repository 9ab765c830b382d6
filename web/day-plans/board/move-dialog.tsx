import { useState } from 'react';
import type { DayPlan, DayPlanStop } from '../../../contract/day-plans.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { arrangementOf, placeOf, type Target } from '../arrangement.ts';

type Props = {
  plan: DayPlan;
  stop: LocationRef & Pick<DayPlanStop, 'name'>;
  onMove: (to: Target) => void;
  onClose: () => void;
};

/** Moves a stop without a mouse: to which driver, and before which stop. */
export function MoveDialog({ plan, stop, onMove, onClose }: Props) {
  const from = placeOf(arrangementOf(plan), stop);
  const [route, setRoute] = useState<number | null>(from?.route ?? 0);
  const others = (route === null ? [] : (plan.routes[route]?.stops ?? [])).flatMap((one, index) =>
    one.type === stop.type && one.id === stop.id ? [] : [{ index, name: one.name }],
  );
  const last = route === null ? 0 : (plan.routes[route]?.stops.length ?? 0);
  const [before, setBefore] = useState('');
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Move ${stop.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => onMove({ route, index: before === '' ? last : Number(before) })}>
            Move
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <Select
          label="To"
          value={route === null ? '' : String(route)}
          options={[
            ...plan.routes.map((one, index) => ({
              value: String(index),
              label: one.driverName ?? `Route ${index + 1}`,
            })),
            { value: '', label: 'Nobody: leave it out' },
          ]}
          onChange={(value) => {
            setRoute(value === '' ? null : Number(value));
            setBefore('');
          }}
        />
        {route !== null && (
          <Select
            label="Before"
            value={before}
            options={[
              ...others.map(({ index, name }) => ({ value: String(index), label: name })),
              { value: '', label: 'At the end' },
            ]}
            onChange={setBefore}
          />
        )}
      </div>
    </Dialog>
  );
}
