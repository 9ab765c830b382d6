import type { ReactNode } from 'react';
import type { Session } from '../../contract/auth.ts';
import type { Reply } from '../../contract/endpoint.ts';
import type { getMarketSummary } from '../../contract/markets.ts';
import { useSession } from '../auth/api.ts';
import { formatNumber } from '../http/format.ts';
import { operatorRules } from '../http/operator-rules.ts';
import { Card, StatTile } from '../ui/card.tsx';
import { StatPlaceholders, statGrid } from '../ui/stat-grid.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useMarketSummary } from './api.ts';

type Summary = Reply<typeof getMarketSummary>;

export function MarketCards() {
  const { data, error, refetch } = useMarketSummary();
  const { person } = useSession();
  if (error && !data) {
    return (
      <Card>
        <FailedView error={error} retry={() => void refetch()} title="The figures did not load" />
      </Card>
    );
  }
  if (!data) return <StatPlaceholders />;
  return (
    <section aria-label="Figures" className={statGrid}>
      <StatTile
        label="Total Markets"
        value={formatNumber(data.totalMarkets)}
        href="/markets"
        detail={routesText(person)}
      />
      <StatTile
        label="Active Markets"
        value={formatNumber(data.active)}
        href="/markets?status=active"
        detail={activeText(data)}
      />
      <StatTile
        label="Maintenance"
        value={formatNumber(data.maintenance)}
        href="/markets?status=maintenance"
        detail={data.maintenance === 0 ? 'None is closed for repair' : 'Closed for repair'}
      />
      <StatTile
        label="Avg Stock Level"
        value={hasItems(data) ? `${data.avgStockLevel}%` : '–'}
        href="/markets?sort=stock"
        detail={levelText(data)}
      />
    </section>
  );
}

/** Whose figures these are: a field worker's are of their own route. */
function routesText({ role, routeDesignation }: Session['person']): string {
  if (role !== 'field_worker') return 'On all routes';
  return routeDesignation ? `On route ${routeDesignation}` : 'No route is yours yet';
}

function activeText({ otherStatus }: Summary): string {
  return otherStatus === 0 ? 'None is inactive' : `${formatNumber(otherStatus)} inactive`;
}

/** Without items there is no mean to tell. */
const hasItems = ({ lowMarkets, avgStockLevel }: Summary): boolean => lowMarkets > 0 || avgStockLevel > 0;

function levelText(data: Summary): ReactNode {
  const { lowMarkets, totalMarkets } = data;
  const { lowLevelPercent } = operatorRules();
  if (totalMarkets === 0) return 'No markets yet';
  if (!hasItems(data)) return 'No market has items yet';
  if (lowMarkets === 0) return `No market below ${lowLevelPercent}%`;
  return (
    <span className="font-medium text-bad-text">
      {formatNumber(lowMarkets)} below {lowLevelPercent}%
    </span>
  );
}
