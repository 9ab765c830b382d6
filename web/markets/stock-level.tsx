import type { MarketWithInventory } from '../../contract/markets.ts';
import { type LevelBand, levelBand } from '../../domain/stock-status.ts';
import { operatorRules } from '../http/operator-rules.ts';
import { StateShape, type Tone } from '../ui/badge.tsx';
import { Meter } from '../ui/charts/meter.tsx';

const toneOf: Record<LevelBand, Tone> = { danger: 'bad', warning: 'warn', healthy: 'ok' };
const wordOf: Record<LevelBand, string> = { danger: 'low', warning: 'falling', healthy: 'healthy' };

const widthOf = (isSmall: boolean): number => (isSmall ? 24 : 80);

/** A market's stock level: a bar in the colour of its band, the percent, and a shape where somebody should look. */
export function StockLevel({ market, isSmall }: { market: MarketWithInventory; isSmall: boolean }) {
  if (market.inventoryItems === 0) return <NoItems {...{ market, isSmall }} />;
  const band = levelBand(market.stockLevel, operatorRules());
  const tone = toneOf[band];
  return (
    <span className="inline-flex items-center gap-1.5">
      <Meter
        percent={market.stockLevel}
        tone={tone}
        width={widthOf(isSmall)}
        label={`Stock level of ${market.name}: ${wordOf[band]}`}
      />
      {tone !== 'ok' && !isSmall && <StateShape tone={tone} />}
    </span>
  );
}

/** Nothing is sold there yet, so nothing is short either. */
function NoItems({ market, isSmall }: { market: MarketWithInventory; isSmall: boolean }) {
  const label = `Stock level of ${market.name}: no items yet`;
  return (
    <span className="block">
      <Meter percent={market.stockLevel} tone="idle" width={widthOf(isSmall)} label={label} />
      <span className="block text-12 text-text-3">No items yet</span>
    </span>
  );
}
