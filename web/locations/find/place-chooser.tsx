import { useState } from 'react';
import type { ListedPlace } from '../../../contract/locations.ts';
import { formatNumber } from '../../http/format.ts';
import { placeLabel } from '../../map/map-data.ts';
import { ComboBox } from '../../ui/forms/combo-box.tsx';
import { useDebounced } from '../../ui/use-debounced.ts';
import { type PlaceWish, useFirstPlaces } from './places.ts';

const mostOffered = 12;

type Props = {
  label: string;
  /** What stands in the field once something is chosen; absent: it is empty again, for the next one. */
  chosen?: string | undefined;
  onChoose: (place: ListedPlace) => void;
  wish?: PlaceWish;
  className?: string;
};

const everything: PlaceWish = {};

/** One market or machine of any number of them: typing searches names, places, numbers and routes on the server. */
export function PlaceChooser({ label, chosen, onChoose, wish = everything, className = '' }: Props) {
  const [text, setText] = useState<string | null>(null);
  const search = useDebounced((text ?? '').trim());
  const found = useFirstPlaces({ ...wish, ...(search ? { search } : {}) }, mostOffered);
  const places = found.data?.rows ?? [];
  const more = (found.data?.total ?? 0) - places.length;
  return (
    <ComboBox
      className={className}
      label={label}
      placeholder="Name, address or route"
      text={text ?? chosen ?? ''}
      onText={setText}
      onBlur={() => setText(null)}
      hint={more > 0 && search ? `${formatNumber(more)} more match: type on to narrow them down` : undefined}
      noHit={found.error ? 'The locations did not load. Type again to retry.' : noneText(search)}
      loading={found.isFetching}
      options={places.map((place) => ({
        key: `${place.type}:${place.id}`,
        label: placeLabel(place),
        detail: place.address,
      }))}
      onChoose={({ key }) => {
        const place = places.find((one) => `${one.type}:${one.id}` === key);
        setText(null);
        if (place) onChoose(place);
      }}
    />
  );
}

const noneText = (search: string): string =>
  search ? `No location matches '${search}'` : 'There is no location yet. Add a market or a machine first.';
