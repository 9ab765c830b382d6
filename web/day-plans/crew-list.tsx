import { useState } from 'react';
import { countOf } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { type Choices, type CrewDraft, endsNextDay } from './crews.ts';

type Props = {
  crews: readonly CrewDraft[];
  choices: Choices;
  /** Routes that drivers have on the day already. */
  taken: ReadonlyMap<number, number>;
  onChange: (crews: CrewDraft[]) => void;
};

/** Up to so many drivers are all shown; of more, those who are in. */
const manyDrivers = 25;

/** Who drives on the day, with what, from when to when. A name has a line of its own where it would break beside the rest. */
export function CrewList({ crews, choices, taken, onChange }: Props) {
  const [isWhole, setWhole] = useState(crews.length <= manyDrivers);
  const isShort = !isWhole && crews.some((crew) => !crew.isIn);
  const change = (at: number, part: Partial<CrewDraft>): void =>
    onChange(crews.map((crew, index) => (index === at ? { ...crew, ...part } : crew)));
  const vehicles = [
    { value: '', label: 'No vehicle' },
    ...choices.vehicles.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <>
      <ul className="@container divide-y divide-line">
        {crews.map((crew, at) =>
          isShort && !crew.isIn ? null : (
            <li
              key={crew.driverId}
              className="grid grid-cols-2 items-end gap-x-3 gap-y-2 px-4 py-2 @md:grid-cols-[minmax(0,1fr)_7.5rem_7.5rem] @xl:grid-cols-[minmax(0,1fr)_minmax(0,8.5rem)_7.5rem_7.5rem]"
            >
              <label className="col-span-2 flex min-h-8 items-center gap-3 max-lg:min-h-12 @md:col-span-3 @xl:col-span-1">
                <input
                  type="checkbox"
                  checked={crew.isIn}
                  onChange={(event) => change(at, { isIn: event.target.checked })}
                  className="size-4 flex-none accent-accent max-lg:size-6"
                />
                <span className="min-w-0">
                  <span className="wrap-anywhere block font-medium">{crew.name}</span>
                  {crew.designation && <span className="block text-12 text-text-3">Route {crew.designation}</span>}
                  {taken.has(crew.driverId) && (
                    <span className="block text-12 text-warn-text">
                      Has {countOf(taken.get(crew.driverId) ?? 0, 'route')} on this day
                    </span>
                  )}
                </span>
              </label>
              <Select
                label="Vehicle"
                value={String(crew.vehicleId ?? '')}
                disabled={!crew.isIn}
                // A vehicle list for each of many drivers who stay at home would make the page slow.
                options={crew.isIn ? vehicles : vehicles.slice(0, 1)}
                onChange={(value) => change(at, { vehicleId: value === '' ? null : Number(value) })}
                className="col-span-2 @md:col-span-1"
              />
              <TextField
                label="From"
                type="time"
                value={crew.start}
                disabled={!crew.isIn}
                onChange={(start) => change(at, { start })}
              />
              <TextField
                label={endsNextDay(crew) ? 'To, next day' : 'To'}
                type="time"
                value={crew.end}
                disabled={!crew.isIn}
                onChange={(end) => change(at, { end })}
              />
            </li>
          ),
        )}
      </ul>
      {isShort && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4 py-2 text-text-2">
          <span className="mr-auto">The drivers of the chosen routes are in.</span>
          <Button variant="quiet" onClick={() => setWhole(true)}>
            Show all {crews.length} drivers
          </Button>
        </div>
      )}
    </>
  );
}
