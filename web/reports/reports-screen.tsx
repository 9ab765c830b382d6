import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { DayRange } from '../../domain/report.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDay, today } from '../http/format.ts';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { saveFile, saveTable, type TableFormat } from '../ui/tables/table-file.ts';
import { usePaper, usePrinting } from '../ui/tables/use-paper.ts';
import { toast } from '../ui/toasts/toast.ts';
import { useToday } from '../ui/use-today.ts';
import {
  pageSizes,
  useInventoryReport,
  useMarketReport,
  useRouteReport,
  useSalesReport,
  wholeInventoryReport,
  wholeRouteReport,
} from './api.ts';
import { InventoryReportView, takeInventory } from './inventory-report.tsx';
import { MarketReportView, takeMarkets } from './market-report.tsx';
import { ReportBar } from './report-bar.tsx';
import { RouteReportView, takeRoutes } from './route-report.tsx';
import { SalesReportView, takeSales } from './sales-report.tsx';
import type { Taken } from './taken.ts';
import { type ReportType, reportNames, useWish, type Wish } from './wish.ts';

/** The owner's ten minutes: what is there, what it cost to serve, what it earned, against the time before. */
export function ReportsScreen() {
  const { wish, set } = useWish();
  const Page = pages[wish.type];
  return <Page wish={wish} set={set} />;
}

const pages: Record<ReportType, ComponentType<PageProps>> = {
  inventory: InventoryPage,
  route: RoutePage,
  market: MarketPage,
  sales: SalesPage,
};

type PageProps = { wish: Wish; set: (values: Record<string, string | null>) => void };

function InventoryPage({ wish, set }: PageProps) {
  const { query, print } = usePrintable(useInventoryReport, wish);
  return (
    <Frame {...{ wish, set, query, print }} take={async () => takeInventory(await wholeInventoryReport(wish))}>
      {(report) => <InventoryReportView report={report} table={{ wish, set, waiting: query.isPlaceholderData }} />}
    </Frame>
  );
}

function RoutePage({ wish, set }: PageProps) {
  const { query, print } = usePrintable(useRouteReport, wish);
  return (
    <Frame {...{ wish, set, query, print }} take={async () => takeRoutes(await wholeRouteReport(wish))}>
      {(report) => <RouteReportView report={report} table={{ wish, set, waiting: query.isPlaceholderData }} />}
    </Frame>
  );
}

function MarketPage({ wish, set }: PageProps) {
  const { query, print } = usePrintable(useMarketReport, wish);
  return (
    <Frame {...{ wish, set, query, print }} take={(report) => takeMarkets(report, wish)}>
      {(report) => <MarketReportView report={report} table={{ wish, set, waiting: query.isPlaceholderData }} />}
    </Frame>
  );
}

function SalesPage({ wish, set }: PageProps) {
  const { query, print } = usePrintable(useSalesReport, wish);
  return (
    <Frame {...{ wish, set, query, print }} take={(report) => takeSales(report, wish)}>
      {(report) => <SalesReportView report={report} table={{ wish, set, waiting: query.isPlaceholderData }} />}
    </Frame>
  );
}

/** A report as the screen has it or, on the way to paper, from its first row. */
function usePrintable<R>(useReport: (wish: Wish, limit: number) => UseQueryResult<R>, wish: Wish) {
  const paper = usePaper({ hasTable: true });
  const query = useReport(
    paper.isWanted ? { ...wish, page: null } : wish,
    paper.isWanted ? pageSizes.paper : pageSizes.screen,
  );
  usePrinting(paper, query);
  return { query, print: paper.print };
}

type Ranged = { range: DayRange; before: DayRange };

type FrameProps<R extends Ranged> = PageProps & {
  query: UseQueryResult<R>;
  take: (report: R) => Taken | Promise<Taken>;
  /** Prints more than the page in sight. */
  print: () => void;
  children: (report: R) => ReactNode;
};

function Frame<R extends Ranged>({ wish, set, query, take, print, children }: FrameProps<R>) {
  const { data } = query;
  // Until what was chosen is there, the screen shows what was chosen before: a file would give its sums another name.
  const isTold = data !== undefined && !query.isPlaceholderData;
  const day = useToday();
  const saving = useMutation({
    mutationFn: async (kind: 'json' | TableFormat) => {
      if (data) await saveReport(kind, { wish, range: data.range, taken: await take(data) });
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Error', description: sentenceOf(error) }),
  });
  return (
    <div className="grid gap-4 p-6 max-lg:p-4" aria-busy={query.isFetching}>
      <header className="flex flex-wrap items-baseline gap-x-4">
        <h1>Reports and Analytics</h1>
        <p className="hidden font-semibold print:block">{titleOf(wish)}</p>
        {data && (
          <p className="text-text-3">
            {rangeText(data.range)}
            {data.range.from <= day && day <= data.range.to && ' (today so far)'}, compared with{' '}
            {rangeText(data.before)}
          </p>
        )}
      </header>
      <ReportBar
        {...{ wish, set }}
        onPrint={data ? print : null}
        onExport={isTold && !saving.isPending ? saving.mutate : null}
      />
      {query.error && (
        <Card>
          <FailedView error={query.error} retry={() => void query.refetch()} title="The report did not load" />
        </Card>
      )}
      {!data && !query.error && (
        <Card className="min-h-96">
          <SkeletonRows rows={5} className="h-12" />
        </Card>
      )}
      {data && !query.error && children(data)}
    </div>
  );
}

/** What a sheet is of, which the screen tells by what is pressed. */
const titleOf = ({ type, route, search }: Wish): string =>
  [`${reportNames[type]} report`, route && `Route ${route}`, search && `only what matches ${search}`]
    .filter(Boolean)
    .join(', ');

type Saved = { wish: Wish; range: DayRange; taken: Taken };

async function saveReport(kind: 'json' | TableFormat, { wish, range, taken }: Saved): Promise<void> {
  const name = `${wish.type}-report-${today()}`;
  if (kind !== 'json') return saveTable(kind, name, taken.table);
  const timeRange = wish.span === 'custom' ? `${range.from} to ${range.to}` : wish.span;
  const whole = { type: wish.type, timeRange, generatedAt: new Date().toISOString(), data: taken.data };
  saveFile(`${name}.json`, 'application/json', JSON.stringify(whole, null, 2));
}

function rangeText({ from, to }: DayRange): string {
  return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;
}
