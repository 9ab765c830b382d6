/** The page of the manual for a screen, by the beginning of its address; the longest that fits counts. */
const pages: readonly [start: string, page: string][] = [
  ['/daily-schedule', 'daily-schedule'],
  ['/route-planning', 'route-planning'],
  ['/picking', 'picking'],
  ['/inventory', 'inventory'],
  ['/integrations', 'connections'],
  ['/integration-sync', 'connections'],
  ['/cantaloupe', 'connections'],
  ['/nayax-moma', 'connections'],
  ['/nama-vdi', 'connections'],
  ['/mobile-inventory', 'mobile-inventory'],
  ['/counts-to-review', 'mobile-inventory'],
  ['/markets', 'markets'],
  ['/vending-machines', 'vending-machines'],
  ['/products', 'products'],
  ['/import', 'import'],
  ['/reports', 'reports'],
  ['/payment-reports', 'payment-reports'],
  ['/enterprise-dashboard', 'performance'],
  ['/admin-dashboard', 'people'],
  ['/people', 'people'],
  ['/device-login', 'people'],
  ['/account', 'people'],
  ['/settings', 'settings'],
];

/** Address of the manual's page about a screen; its contents where there is none. */
export function manualAddress(path: string): string {
  if (path === '/') return '/manual/dashboard';
  const found = pages.find(([start]) => path === start || path.startsWith(`${start}/`));
  return found ? `/manual/${found[1]}` : '/manual';
}
