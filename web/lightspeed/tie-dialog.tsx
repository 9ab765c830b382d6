import { useState } from 'react';
import type { LightspeedOutlet } from '../../contract/lightspeed.ts';
import { addressText } from '../../domain/place.ts';
import { type MarketFilter, useMarketsPage } from '../markets/api.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { SearchBox } from '../ui/tables/search-box.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { useTie } from './api.ts';

/** Says which market an outlet is: what it sells is booked there from then on. Mount it to open it. */
export function TieDialog({ outlet, onClose }: { outlet: LightspeedOutlet; onClose: () => void }) {
  const [text, setText] = useState('');
  const search = useDebounced(text.trim());
  const markets = useMarketsPage({ ...byName, search }, null);
  const namesakes = useMarketsPage({ ...byName, search: outlet.name.slice(0, longestSearch) }, null);
  const tie = useTie();
  // Among hundreds of markets the one of this name may stand on another page.
  const isKnown = namesakes.data !== undefined || namesakes.error !== null;
  const rows = isKnown ? markets.data?.rows : undefined;
  const first = search === '' ? (namesakes.data?.rows ?? []) : [];
  const rest = rows?.filter(({ id }) => !first.some((market) => market.id === id));
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Which market is ${outlet.name}?`}
      description={outlet.linkReason ? `${outlet.linkReason}. ${addressOf(outlet)}` : addressOf(outlet)}
    >
      <div className="grid grid-cols-1 gap-2 pt-2">
        <SearchBox label="Search markets" placeholder="Search name or address..." value={text} onChange={setText} />
        {markets.error && !markets.data && (
          <FailedView error={markets.error} retry={() => void markets.refetch()} title="Markets did not load" />
        )}
        {!rows && !markets.error && <SkeletonRows rows={5} className="h-5" />}
        {rows?.length === 0 && <p className="py-4 text-center text-text-2">No market matches.</p>}
        <ul>
          {rest &&
            [...first, ...rest].map((market) => (
              <li
                key={market.id}
                className="flex min-h-12 items-center gap-3 border-line border-b py-1 last:border-b-0"
              >
                <span className="min-w-0 flex-1">
                  <span className="block font-medium lg:truncate">{market.name}</span>
                  <span className="block truncate text-12 text-text-3">{addressText(market)}</span>
                </span>
                <Button
                  pending={tie.isPending}
                  onClick={() => tie.mutate({ id: outlet.id, marketId: market.id }, { onSuccess: onClose })}
                  className="max-lg:min-h-12"
                >
                  This one
                </Button>
              </li>
            ))}
        </ul>
      </div>
    </Dialog>
  );
}

const longestSearch = 200;
const byName = { status: null, sort: 'name' } satisfies Partial<MarketFilter>;

const addressOf = ({ address }: LightspeedOutlet): string => address ?? 'Lightspeed tells no address.';
