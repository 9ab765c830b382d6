import { Badge } from '../ui/badge.tsx';
import { TapButton } from './quantity/tap-button.tsx';

type FieldHeaderProps = {
  isOnline: boolean;
  isRefreshing: boolean;
  onBack: (() => void) | null;
  onRefresh: () => void;
};

export function FieldHeader({ isOnline, isRefreshing, onBack, onRefresh }: FieldHeaderProps) {
  return (
    <header className={`flex h-14 items-center gap-2 border-b border-line pr-1 ${onBack ? 'pl-1' : 'pl-4'}`}>
      {onBack && <TapButton icon="left" label="Back" onClick={onBack} />}
      <h1 className="min-w-0 flex-1 truncate text-20 font-semibold text-text">Field Inventory</h1>
      {!isOnline && <Badge tone="idle">Offline</Badge>}
      <TapButton
        icon="refresh"
        label={isRefreshing ? 'Refreshing' : 'Refresh'}
        isDisabled={isRefreshing}
        onClick={onRefresh}
      />
    </header>
  );
}
