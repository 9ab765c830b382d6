import type { ComponentProps } from 'react';
import { SearchBox } from './search-box.tsx';
import { useSearchText } from './use-search-text.ts';

type Props = Omit<ComponentProps<typeof SearchBox>, 'value' | 'onChange'> & {
  /** In the address, where the screen has a search of its own. */
  name?: string;
};

/** A search box whose words stand in the address, as `q` or under its name: typing draws this box alone, and not the list that is searched. */
export function AddressSearch({ name, ...props }: Props) {
  const { text, setText } = useSearchText(name);
  return <SearchBox {...props} value={text} onChange={setText} />;
}
