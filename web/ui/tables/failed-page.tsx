import { isRefused } from '../../http/client.ts';
import { useAddress } from '../address/use-address.ts';
import { FailedView } from '../state-view.tsx';

type Props = { list: { error: unknown; refetch: () => unknown }; title: string };

/** A page of a table that did not load. A page or an order that is not known would be refused again: both are let go. */
export function FailedPage({ list: { error, refetch }, title }: Props) {
  const { set } = useAddress();
  const retry = (): void => {
    set({ page: null, ...(isRefused(error, 'sort') && { sort: null }) });
    void refetch();
  };
  return <FailedView error={error} retry={retry} title={title} />;
}
