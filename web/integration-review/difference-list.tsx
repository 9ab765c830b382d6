import { systemLabel } from '../../domain/integration-labels.ts';
import { formatDateTime, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { useDifferences } from './api.ts';
import { PagedList } from './parts.tsx';

/** Where a partner system believes another stock than our ledger; ours is not overwritten. */
export function DifferenceList() {
  return (
    <PagedList
      usePage={useDifferences}
      label="Stock differences"
      empty="The partner systems believe the same stock as the ledger."
    >
      {({ place, slotNumber, productName, theirs, ours, toldAt, system }) => (
        <>
          <div className="min-w-0">
            <p className="font-medium">{productName}</p>
            <p className="text-text-2">
              <AppLink
                href={`/mobile-inventory?type=${place.type}&id=${place.id}`}
                className="inline-block hover:text-accent hover:underline max-lg:py-3.5"
              >
                {place.name}
                {slotNumber && `, slot ${slotNumber}`}
              </AppLink>
            </p>
          </div>
          <div>
            <p>
              {`${systemLabel[system]} says ${formatNumber(theirs)}, `}
              {ours === null ? 'we have no such slot or item' : `the ledger says ${formatNumber(ours)}`}
            </p>
            <p className="text-text-3">{`Told ${formatDateTime(toldAt)}. A count settles it.`}</p>
          </div>
        </>
      )}
    </PagedList>
  );
}
