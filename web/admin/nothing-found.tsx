import { useQuery } from '@tanstack/react-query';
import { type SearchResult, search } from '../../contract/dashboard.ts';
import { queryFor } from '../http/query-client.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { buttonClass } from '../ui/button.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import type { IconName } from '../ui/icon.tsx';
import { StateView } from '../ui/state-view.tsx';
import type { Filter } from './api.ts';

const mostOffered = 5;
/** As long as the search that forgives slips takes it. */
const longestText = 100;

/** The tab that lists a kind of thing; routes are cards there, which no text narrows. */
const tabOf: Record<SearchResult['kind'], string | null | undefined> = {
  person: null,
  market: 'locations',
  vending_machine: 'locations',
  product: 'inventory',
  route: undefined,
};

type Props = {
  icon: IconName;
  title: string;
  filter: Filter;
  /** What to say where nothing narrows the list: there is none at all. */
  none?: { title: string; text: string; href: string; label: string };
};

/** A list that the filters left empty: what may have been meant, here or on another tab, and the way back to everything. */
export function NothingFound({ none, ...rest }: Props) {
  const { search: text, route } = rest.filter;
  if (!none || text !== '' || route) return <NothingMatches {...rest} />;
  return (
    <StateView
      icon={rest.icon}
      title={none.title}
      text={none.text}
      action={
        <AppLink href={none.href} className={`${buttonClass()} max-lg:min-h-12`}>
          {none.label}
        </AppLink>
      }
    />
  );
}

function NothingMatches({ icon, title, filter }: Omit<Props, 'none'>) {
  const { set } = useAddress();
  const text = filter.search;
  const found = useQuery({
    ...queryFor(search, { query: { q: text } }),
    enabled: text !== '' && text.length <= longestText,
  });
  const meant = (found.data ?? []).filter(({ kind }) => tabOf[kind] !== undefined).slice(0, mostOffered);
  const shown = { page: null, sort: null, route: null, role: null, stock: null };
  return (
    <StateView
      icon={icon}
      title={title}
      text={meant.length > 0 ? 'Did you mean one of these?' : 'Search for something else, or clear the filters.'}
      action={
        <div className="grid justify-items-center gap-2">
          {meant.length > 0 && (
            <ul className="grid gap-1">
              {meant.map(({ kind, id, title: name, detail }) => (
                <li key={`${kind}${id}`}>
                  <button
                    type="button"
                    className="min-h-8 text-left text-link underline-offset-2 hover:underline max-lg:min-h-12"
                    onClick={() => set({ ...shown, tab: tabOf[kind] ?? null, q: kind === 'person' ? detail : name })}
                  >
                    {name} <span className="text-12 text-text-3">{detail}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <ClearFilters onClear={() => set({ ...shown, q: null })} />
        </div>
      }
    />
  );
}
