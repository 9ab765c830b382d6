import { memo, useState } from 'react';
import type { RestOffer } from '../../contract/incidents.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { minutesText, useOrderRest, useRestOffers } from './api.ts';

/** Offers another order of the rest of routes that incidents slow; nothing while there is nothing to gain. */
export const RestBanner = memo(function RestBanner() {
  const { data } = useRestOffers();
  const apply = useOrderRest();
  const [declined, setDeclined] = useState<ReadonlySet<string>>(new Set());
  const offers = (data ?? []).filter((offer) => !declined.has(keyOf(offer)));
  if (offers.length === 0) return null;
  return (
    <section aria-label="Faster orders" className="rounded border border-warn bg-warn-soft">
      <ul>
        {offers.map((offer) => (
          <li
            key={offer.routeId}
            className="flex flex-wrap items-center gap-x-3 gap-y-2 border-warn border-t px-4 py-2 first:border-t-0"
          >
            <span className="text-warn">
              <Icon name="alert" />
            </span>
            <p className="min-w-0 flex-1 basis-60 text-warn-text">
              <strong className="font-semibold">{offer.routeName}</strong>: {sayOffer(offer)}
            </p>
            <span className="flex gap-1">
              <Button
                variant="primary"
                pending={apply.isPending && apply.variables.routeId === offer.routeId}
                pendingLabel="Re-optimising..."
                onClick={() => apply.mutate(offer)}
                aria-label={`Re-optimise the rest of ${offer.routeName}`}
                className="max-lg:min-h-12"
              >
                Re-optimise the rest
              </Button>
              <IconButton
                label={`Keep the order of ${offer.routeName}`}
                icon="close"
                onClick={() => setDeclined(new Set([...declined, keyOf(offer)]))}
                className="max-lg:h-12 max-lg:w-12"
              />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
});

/** What was declined: this order of this route; another offer is shown again. */
const keyOf = ({ routeId, order }: RestOffer): string => `${routeId}:${order.join()}`;

/** What the new order saves, and how much of it the incidents cost: an order that was poor before is not their fault. */
function sayOffer({ gainMin, trafficMin, incidents }: RestOffer): string {
  const saves = `nother order of the rest saves ${minutesText(gainMin)} of driving`;
  const [first, ...more] = incidents;
  if (!first) return `traffic changed. A${saves}.`;
  if (trafficMin <= 0) return `a${saves}, with or without incidents.`;
  const slow = more.length === 0 ? `slowed by ${first.title}` : `slowed by ${first.title} and ${more.length} more`;
  if (trafficMin >= gainMin) return `${slow}. A${saves}.`;
  return `${slow}. A${saves}: ${minutesText(trafficMin)} for the incidents, the rest on clear roads too.`;
}
