import { useState } from 'react';
import type { PlaceCount } from '../../contract/locations.ts';
import { locationKey } from '../../domain/place.ts';
import { countOf } from '../http/format.ts';
import { PlaceChooser } from '../locations/find/place-chooser.tsx';
import { placeLabel } from '../map/map-data.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { DayField } from '../ui/forms/day-field.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { SearchBox } from '../ui/tables/search-box.tsx';
import type { Choice } from './places.ts';
import type { ChoiceMade } from './use-choice.ts';

/** Up to so many routes are seen at a glance; of more, some are searched for. */
const manyRoutes = 8;

type Props = { made: ChoiceMade; date: string; onDate: (date: string) => void };

/** Which locations are planned, by route, by need, and one by one. */
export function WhereCard({ made, date, onDate }: Props) {
  const { choice, count } = made;
  const options: { value: Choice['scope']; label: string }[] = [
    ...(choice.chosen.length > 0 ? [{ value: 'chosen' as const, label: 'Selected' }] : []),
    { value: 'needing', label: 'Need a visit' },
    { value: 'all', label: 'All' },
  ];
  return (
    <Card
      title="Where"
      count={count}
      actions={<Segmented label="Which locations" options={options} value={choice.scope} onChange={made.setScope} />}
    >
      <div className="border-line border-b px-4 py-3">
        <DayField label="Plan for" value={date} onChange={onDate} />
      </div>
      {choice.scope === 'chosen' ? (
        <p className="px-4 py-3 text-text-2">
          {countOf(choice.chosen.length, 'location')} selected on Route Planning. Go back there to change them.
        </p>
      ) : (
        <Routes made={made} />
      )}
      <Exceptions made={made} />
    </Card>
  );
}

const routeName = (designation: string): string => (designation ? `Route ${designation}` : 'No route');

function Routes({ made }: { made: ChoiceMade }) {
  const { counts, choice, setRoutes } = made;
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const shown = counts.filter(({ designation }) => routeName(designation).toLowerCase().includes(wanted));
  const all = shown.map((one) => one.designation);
  const on = counts.length - choice.off.size;
  return (
    <>
      {counts.length > manyRoutes && (
        <div className="grid gap-2 border-line border-b px-4 py-2">
          <SearchBox label="Search routes" placeholder="Search routes" value={text} onChange={setText} />
          <div className="flex flex-wrap items-center gap-2">
            <span className="mr-auto text-text-2">
              {on} of {countOf(counts.length, 'route')} chosen
            </span>
            <Button variant="quiet" disabled={all.length === 0} onClick={() => setRoutes(all, true)}>
              Choose {all.length}
            </Button>
            <Button variant="quiet" disabled={all.length === 0} onClick={() => setRoutes(all, false)}>
              Leave out {all.length}
            </Button>
          </div>
        </div>
      )}
      {shown.length === 0 && <p className="p-6 text-center text-text-2">No route matches '{text.trim()}'</p>}
      <ul className="max-h-112 divide-y divide-line overflow-y-auto">
        {shown.map((one) => (
          <Route
            key={one.designation}
            route={one}
            isOn={!choice.off.has(one.designation)}
            onToggle={(isOn) => setRoutes([one.designation], isOn)}
          />
        ))}
      </ul>
    </>
  );
}

type RouteProps = { route: PlaceCount; isOn: boolean; onToggle: (on: boolean) => void };

function Route({ route: { designation, all, needing }, isOn, onToggle }: RouteProps) {
  return (
    <li>
      <label className="flex min-h-12 items-center gap-3 px-4 py-2">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => onToggle(event.target.checked)}
          className="size-4 flex-none accent-accent max-lg:size-6"
        />
        <span className="flex-1 font-medium">{routeName(designation)}</span>
        <span className="text-text-2 tabular-nums">
          {needing} of {all} {needing === 1 ? 'needs' : 'need'} a visit
        </span>
      </label>
    </li>
  );
}

/** Single locations that are planned, or left out, beside what the routes say. */
function Exceptions({ made }: { made: ChoiceMade }) {
  const { exceptions } = made.choice;
  return (
    <div className="grid grid-cols-1 gap-3 border-line border-t px-4 py-3">
      <PlaceChooser label="Add or leave out a location" onChoose={made.except} />
      {exceptions.length > 0 && (
        <ul aria-label="Exceptions" className="divide-y divide-line">
          {exceptions.map((one) => (
            <li key={locationKey(one.place)} className="flex min-h-12 flex-wrap items-center gap-x-3 py-1">
              <span className="wrap-anywhere min-w-0 flex-1 basis-56 max-sm:basis-full">{placeLabel(one.place)}</span>
              <Badge tone={one.isLeftOut ? 'idle' : 'ok'}>{one.isLeftOut ? 'Left out' : 'Added'}</Badge>
              <Button
                variant="quiet"
                className="ml-auto max-lg:h-12"
                onClick={() => made.forget(one)}
                aria-label={`Take back the exception for ${one.place.name}`}
              >
                Take back
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
