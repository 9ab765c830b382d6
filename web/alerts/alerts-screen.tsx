import { useState } from 'react';
import {
  type AlertState,
  alertRule,
  alertRuleWords,
  alertState,
  ownAlertKinds,
  reportedAlerts,
  severity,
} from '../../domain/alert-rules.ts';
import { useMay } from '../auth/api.ts';
import { useDesignations } from '../markets/api.ts';
import { Breadcrumb } from '../ui/address/breadcrumb.tsx';
import { lateDialog } from '../ui/address/late-code.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Segmented } from '../ui/forms/segmented.tsx';
import { Select } from '../ui/forms/select.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { useSmallScreen } from '../ui/use-media.ts';
import { AlertList } from './alert-list.tsx';
import { ExportAlerts } from './export-alerts.tsx';

const RulesDialog = lateDialog('Alert rules', async () => (await import('./rules-dialog.tsx')).RulesDialog);

/** Every alert, with who took note of it and how it ended. */
export function AlertsScreen() {
  const mayRead = useMay('office:read');
  const [areRulesOpen, setAreRulesOpen] = useState(false);
  const { get, set } = useAddress();
  const state = alertState.safeParse(get('state')).data ?? 'open';
  const filter = {
    state,
    sort: orderOf(get('order'), state),
    severity: get('severity') ?? '',
    type: get('type') ?? '',
    route: get('route') ?? '',
    q: get('q') ?? '',
  };
  const clear = (): void => set({ q: null, severity: null, type: null, route: null });
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <Breadcrumb list={{ href: '/vending-machines', label: 'Vending Machines' }} here="Alerts" />
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto">Alerts</h1>
        <ExportAlerts filter={filter} />
        {mayRead && (
          <Button icon="settings" className="max-lg:min-h-12" onClick={() => setAreRulesOpen(true)}>
            Rules
          </Button>
        )}
      </div>
      <Card>
        <Tools filter={filter} onChange={set} />
        <AlertList filter={filter} onClear={clear} />
      </Card>
      {areRulesOpen && <RulesDialog onClose={() => setAreRulesOpen(false)} />}
    </div>
  );
}

type Order = 'gravest' | 'newest';
type Filter = Record<'severity' | 'type' | 'route', string> & { state: AlertState; sort: Order };
type Set = (values: Record<string, string | null>) => void;

/** On a phone the state is picked like the rest, and what is seldom asked for waits behind a button: alerts come first. */
function Tools({ filter, onChange }: { filter: Filter; onChange: Set }) {
  const isSmall = useSmallScreen();
  const chosen = [filter.severity, filter.type, filter.route].filter(Boolean).length;
  const [isOpen, setIsOpen] = useState(chosen > 0);
  const change = (state: string): void => onChange({ state: state === 'open' ? null : state, order: null });
  return (
    <search className="flex flex-wrap items-center gap-2 border-line border-b p-4">
      <div className="w-44 max-sm:w-full">
        <AddressSearch label="Search alerts" placeholder="Search alerts..." />
      </div>
      {isSmall ? (
        <div className="flex w-full gap-2">
          <Select hideLabel label="State" options={states} value={filter.state} onChange={change} className="flex-1" />
          <Button icon="filter" className="min-h-12" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {chosen > 0 ? `Filters ${chosen}` : 'Filters'}
          </Button>
        </div>
      ) : (
        <Segmented label="State" options={states} value={filter.state} onChange={change} />
      )}
      {(isOpen || !isSmall) && (
        <>
          <Pick label="Severity" value={filter.severity} options={severities} name="severity" onPick={onChange} />
          <Pick label="Kind" value={filter.type} options={kinds} name="type" onPick={onChange} />
          <RoutePick value={filter.route} onPick={onChange} />
          <Select
            hideLabel
            label="Order"
            options={orders}
            value={filter.sort}
            onChange={(order) => onChange({ order: order === usualOrder(filter.state) ? null : order })}
            className="max-w-40 max-sm:max-w-none max-sm:flex-[1_1_40%]"
          />
        </>
      )}
    </search>
  );
}

const orders = [
  { value: 'gravest', label: 'Gravest first' },
  { value: 'newest', label: 'Newest first' },
] as const;

/** What waits for somebody is read by how grave it is; what is past, by when it was. */
const usualOrder = (state: AlertState): Order => (state === 'open' || state === 'new' ? 'gravest' : 'newest');
const orderOf = (asked: string | null, state: AlertState): Order =>
  orders.find(({ value }) => value === asked)?.value ?? usualOrder(state);

const states = [
  { value: 'open', label: 'Open' },
  { value: 'new', label: 'New' },
  { value: 'acknowledged', label: 'Acknowledged' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'all', label: 'All' },
] as const;

const severities = [
  { value: '', label: 'Any severity' },
  ...severity.options.map((value) => ({ value, label: `${value.charAt(0).toUpperCase()}${value.slice(1)}` })),
];

const kinds = [
  { value: '', label: 'Any kind' },
  ...alertRule.options.map((value) => ({ value: value as string, label: alertRuleWords[value].name })),
  ...Object.entries(ownAlertKinds).map(([value, label]) => ({ value, label })),
  { value: reportedAlerts, label: 'A machine reports a fault' },
];

type PickProps = {
  label: string;
  name: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onPick: Set;
};

function Pick({ label, name, value, options, onPick }: PickProps) {
  return (
    <Select
      hideLabel
      label={label}
      options={options}
      value={value}
      onChange={(chosen) => onPick({ [name]: chosen || null })}
      className="max-w-40 max-sm:max-w-none max-sm:flex-[1_1_40%]"
    />
  );
}

function RoutePick({ value, onPick }: { value: string; onPick: Set }) {
  const { data: designations = [] } = useDesignations();
  const options = [
    { value: '', label: 'All Routes' },
    ...designations.map((designation) => ({ value: designation, label: `Route ${designation}` })),
  ];
  return <Pick label="Route" name="route" value={value} options={options} onPick={onPick} />;
}
