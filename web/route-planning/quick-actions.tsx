import { AppLink } from '../ui/address/app-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';

type Props = {
  /** Null: this person may not plan. */
  onCreate: (() => void) | null;
  onStartToday: () => void;
  starting: boolean;
  onNavigate: () => void;
  onHistory: () => void;
};

export function QuickActions({ onCreate, onStartToday, starting, onNavigate, onHistory }: Props) {
  return (
    <Card title="Quick Actions">
      <div className="grid gap-2 p-4">
        {onCreate && (
          <Button icon="plus" className="justify-start max-lg:h-12" onClick={onCreate}>
            Create New Route
          </Button>
        )}
        <Button icon="play" className="justify-start max-lg:h-12" onClick={onStartToday} disabled={starting}>
          Start Today's Route
        </Button>
        <Button icon="navigate" className="justify-start max-lg:h-12" onClick={onNavigate}>
          Start Navigation
        </Button>
        <Button icon="history" className="justify-start max-lg:h-12" onClick={onHistory}>
          View Route History
        </Button>
        <AppLink href="/picking" className={`${buttonClass()} justify-start max-lg:h-12`}>
          <Icon name="box" />
          Pick Lists
        </AppLink>
      </div>
    </Card>
  );
}
