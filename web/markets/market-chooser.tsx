import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { pageMarkets } from '../../contract/markets.ts';
import { marketNumber } from '../../domain/place.ts';
import { formatNumber } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { ComboBox } from '../ui/forms/combo-box.tsx';
import { useDebounced } from '../ui/use-debounced.ts';

const mostOffered = 12;

type Props = {
  text: string;
  /** The text is the name of a chosen one. */
  chosen: boolean;
  onText: (text: string) => void;
  onChoose: (market: { id: number; name: string }) => void;
  onBlur: () => void;
  error: string | undefined;
  className?: string;
};

/** One market of any number of them: typing searches names, addresses and numbers on the server. */
export function MarketChooser({ text, chosen, onText, onChoose, onBlur, error, className = '' }: Props) {
  const search = useDebounced(text.trim());
  const query = { sort: 'name', limit: mostOffered, ...(search ? { search } : {}) } as const;
  const found = useQuery({ ...queryFor(pageMarkets, { query }), placeholderData: keepPreviousData });
  const markets = found.data?.rows ?? [];
  const more = (found.data?.total ?? 0) - markets.length;
  return (
    <ComboBox
      className={className}
      label="Market"
      placeholder="Name, address or number"
      text={text}
      onText={onText}
      onBlur={onBlur}
      error={error}
      hint={more > 0 && search && !chosen ? `${formatNumber(more)} more match: type on to narrow them down` : undefined}
      noHit={found.error ? 'The markets did not load. Type again to retry.' : noneText(search)}
      loading={found.isFetching}
      options={markets.map(({ id, name, address }) => ({
        key: String(id),
        label: name,
        detail: `${marketNumber(id)}, ${address}`,
      }))}
      onChoose={({ key, label }) => onChoose({ id: Number(key), name: label })}
    />
  );
}

const noneText = (search: string): string =>
  search ? `No market matches '${search}'` : 'There is no market yet. Add one on the Markets screen first.';
