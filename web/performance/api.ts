import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  getEnterpriseReadiness,
  getPerformanceHistory,
  getPerformanceMetrics,
  getRouteCapacity,
  getScalabilityReport,
  optimizeEnterprise,
  type performanceSpans,
} from '../../contract/performance.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

const metricsMs = 30_000;
const capacityMs = 60_000;

export type Span = (typeof performanceSpans)[number];

// What is measured has no event that could be pushed: it is asked for.
export const useMetrics = () => useQuery({ ...queryFor(getPerformanceMetrics, {}), refetchInterval: metricsMs });
export const useRouteCapacity = () => useQuery({ ...queryFor(getRouteCapacity, {}), refetchInterval: capacityMs });
export const useReadiness = () => useQuery({ ...queryFor(getEnterpriseReadiness, {}), refetchInterval: capacityMs });
export const useScalability = () => useQuery({ ...queryFor(getScalabilityReport, {}), refetchInterval: capacityMs });
export const useHistory = (span: Span) =>
  useQuery({
    ...queryFor(getPerformanceHistory, { query: { span } }),
    refetchInterval: capacityMs,
    placeholderData: keepPreviousData,
  });

export function useOptimizeEnterprise() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(optimizeEnterprise, {}),
    onSuccess: ({ implementedOptimizations: done }) => {
      toast({
        title: 'Optimization Complete',
        description: `${done.length} steps are in order; they stand on this screen`,
      });
      return client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/performance'),
      });
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Optimization Failed', description: sentenceOf(error) }),
  });
}
