import { useQuery } from '@tanstack/react-query';
import { getSandbox } from '../../contract/demo.ts';
import { queryFor } from '../http/query-client.ts';

type Hints = Readonly<Record<string, string>>;

/** What the stand-in of a system accepts, by field; null outside a demo, undefined until it is known. */
export function useSandboxHints(system: string): Hints | null | undefined {
  const { data, isPending } = useQuery(queryFor(getSandbox, {}));
  if (isPending) return undefined;
  return data?.credentials[system] ?? null;
}
