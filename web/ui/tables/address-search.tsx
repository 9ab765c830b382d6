import type { ComponentProps } from 'react';
import { SearchBox } from './search-box.tsx';
import { useSearchText } from './use-search-text.ts';

type Props = Omit<ComponentProps<typeof SearchBox>, 'value' | 'onChange'>;

/** A search box whose words stand in the address, as `q`: typing draws this box alone, and not the list that is searched. */
export function AddressSearch(props: Props) {
  const { text, setText } = useSearchText();
  return <SearchBox {...props} value={text} onChange={setText} />;
}
