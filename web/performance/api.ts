import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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
import { countOf } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export type Span = (typeof performanceSpans)[number];

export const useRouteCapacity = () => useQuery(queryFor(getRouteCapacity, {}));

/** What the cards say of the same minute is asked together: at different moments they could contradict each other. */
const readings = queryOptions({
  queryKey: ['/api/performance', 'readings'],
  queryFn: async () => {
    const [metrics, readiness, report] = await Promise.all([
      call(getPerformanceMetrics, {}),
      call(getEnterpriseReadiness, {}),
      call(getScalabilityReport, {}),
    ]);
    return { metrics, readiness, report };
  },
});
export const useReadings = () => useQuery(readings);
export const useMetrics = () => useQuery({ ...readings, select: ({ metrics }) => metrics });
export const useReadiness = () => useQuery({ ...readings, select: ({ readiness }) => readiness });
export const useScalability = () => useQuery({ ...readings, select: ({ report }) => report });
export const useHistory = (span: Span) =>
  useQuery({
    ...queryFor(getPerformanceHistory, { query: { span } }),
    placeholderData: keepPreviousData,
  });

export function useOptimizeEnterprise() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(optimizeEnterprise, {}),
    onSuccess: ({ implementedOptimizations: done }) => {
      toast({
        title: 'Optimization Complete',
        description: `${countOf(done.length, 'step is', 'steps are')} in order, as this screen shows`,
      });
      return client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/api/performance'),
      });
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Optimization Failed', description: sentenceOf(error) }),
  });
}
