import { useMutation } from '@tanstack/react-query';
import { findAddress } from '../../contract/geocoding.ts';
import { call, sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';

type Props = { address: string; onPosition: (position: { lat: string; lng: string }) => void };

/** Takes the likeliest place of an address at once; others that it could mean are offered. */
export function FindAddress({ address, onPosition }: Props) {
  const search = useMutation({
    mutationFn: () => call(findAddress, { query: { address } }),
    onSuccess: ({ places: [first] }) => {
      if (first) onPosition({ lat: first.latitude, lng: first.longitude });
    },
  });
  const places = search.data?.places;
  return (
    <>
      <Button
        icon="search"
        disabled={address.trim().length < 3}
        pending={search.isPending}
        pendingLabel="Finding the address..."
        onClick={() => search.mutate()}
        className="max-lg:min-h-12"
      >
        Find from address
      </Button>
      {search.error && (
        <p role="alert" className="basis-full text-12 text-bad-text">
          {sentenceOf(search.error)}
        </p>
      )}
      {places?.length === 0 && (
        <p role="alert" className="basis-full text-12 text-bad-text">
          This address was not found. Add the city, or pick the place on the map instead.
        </p>
      )}
      {places && places.length > 0 && (
        <ul aria-label="Places of this address" className="basis-full text-12 text-text-2">
          {places.map(({ name, latitude, longitude }) => (
            <li key={`${latitude},${longitude} ${name}`}>
              <button
                type="button"
                className="min-h-8 text-left hover:text-accent hover:underline max-lg:min-h-12"
                onClick={() => onPosition({ lat: latitude, lng: longitude })}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
