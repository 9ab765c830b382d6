import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import type { Choices, CrewDraft } from './crews.ts';

type Props = { crews: readonly CrewDraft[]; choices: Choices; onChange: (crews: CrewDraft[]) => void };

/** Who drives on the day, with what, from when to when. */
export function CrewList({ crews, choices, onChange }: Props) {
  const change = (at: number, part: Partial<CrewDraft>): void =>
    onChange(crews.map((crew, index) => (index === at ? { ...crew, ...part } : crew)));
  const vehicles = [
    { value: '', label: 'No vehicle' },
    ...choices.vehicles.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <ul className="divide-y divide-line">
      {crews.map((crew, at) => (
        <li
          key={crew.driverId}
          className="grid grid-cols-2 items-end gap-x-3 gap-y-2 px-4 py-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,136px)_120px_120px]"
        >
          <label className="col-span-2 flex min-h-8 items-center gap-3 max-lg:min-h-12 sm:col-span-1">
            <input
              type="checkbox"
              checked={crew.isIn}
              onChange={(event) => change(at, { isIn: event.target.checked })}
              className="size-4 accent-accent max-lg:size-6"
            />
            <span className="min-w-0">
              <span className="wrap-anywhere block font-medium">{crew.name}</span>
              {crew.designation && <span className="block text-12 text-text-3">Route {crew.designation}</span>}
            </span>
          </label>
          <Select
            label="Vehicle"
            value={String(crew.vehicleId ?? '')}
            disabled={!crew.isIn}
            options={vehicles}
            onChange={(value) => change(at, { vehicleId: value === '' ? null : Number(value) })}
            className="max-sm:col-span-2"
          />
          <TextField
            label="From"
            type="time"
            value={crew.start}
            disabled={!crew.isIn}
            onChange={(start) => change(at, { start })}
          />
          <TextField
            label="To"
            type="time"
            value={crew.end}
            disabled={!crew.isIn}
            onChange={(end) => change(at, { end })}
          />
        </li>
      ))}
    </ul>
  );
}
