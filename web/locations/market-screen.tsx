import { useParams } from 'wouter';
import { marketNumber } from '../../domain/place.ts';
import { useMarket } from './api.ts';
import { LocationPage } from './location-page.tsx';

export function MarketScreen() {
  const id = Number(useParams().id);
  const market = useMarket(id);
  const { data } = market;
  return (
    <LocationPage
      place={{ type: 'market', id }}
      query={market}
      head={
        data && {
          record: { type: 'market', market: data },
          number: marketNumber(data.id),
          where: [data.address, data.city, data.state],
          facts: [],
        }
      }
    />
  );
}
