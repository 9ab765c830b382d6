import { useMay } from '../auth/api.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { ImportLink } from '../ui/address/import-link.tsx';
import { Tabs } from '../ui/address/tabs.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useIntegrations } from './api.ts';
import { IntegrationsTab } from './integrations-tab.tsx';
import { InventoryTab } from './inventory-tab.tsx';

/** What stands in the markets, and the systems that report its sales. */
export function InventoryScreen() {
  const { get, set } = useAddress();
  const maySeeProducts = useMay('office:read');
  const mayWrite = useMay('office:write');
  const tab = get('tab') === 'integrations' ? 'integrations' : 'inventory';
  const { data: systems } = useIntegrations();
  const connected = systems?.filter((system) => system.connected).length;
  const tabs = [
    { value: 'inventory', label: 'Inventory' },
    {
      value: 'integrations',
      label: 'Integrations',
      ...(systems && { count: `${connected} of ${systems.length} connected` }),
    },
  ] as const;
  return (
    <div className="grid min-w-0 gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto">Inventory &amp; Integrations</h1>
        <div className="flex flex-wrap gap-2">
          {mayWrite && <ImportLink />}
          {maySeeProducts && (
            <AppLink href="/products" className={`${buttonClass()} max-lg:min-h-12`}>
              <Icon name="box" />
              Product Catalogue
            </AppLink>
          )}
        </div>
      </header>
      <div className="min-w-0">
        <Tabs
          onPage
          label="Inventory & Integrations"
          tabs={tabs}
          value={tab}
          onChange={(value) => set({ tab: value === 'inventory' ? null : value })}
        >
          <div className="grid min-w-0 gap-4">{tab === 'inventory' ? <InventoryTab /> : <IntegrationsTab />}</div>
        </Tabs>
      </div>
    </div>
  );
}
