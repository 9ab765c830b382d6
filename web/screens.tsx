import type { ComponentType } from 'react';
import type { Permission } from '../domain/permissions.ts';
import { withCodeLater as screen } from './ui/forms/code-at-hand.tsx';
import type { IconName } from './ui/icon.tsx';

export type Screen = {
  path: string;
  label: string;
  icon: IconName;
  /** Who may open it. */
  needs: Permission;
  /** Opened from another screen: not in the menu. */
  inside?: true;
  /** The entry of the menu that such a screen belongs to. */
  under?: string;
  /** Label in the bottom bar of small screens; absent: not in it. */
  shortcut?: string;
  component: ComponentType;
  /** Fetches the screen's code before it is shown. */
  preload: () => Promise<unknown>;
};

/** Every screen, in the order of the side menu. Router, side menu, bottom bar and palette read this one list. */
export const screens: readonly Screen[] = [
  {
    path: '/',
    label: 'Dashboard',
    icon: 'dashboard',
    needs: 'stock:read',
    shortcut: 'Dashboard',
    ...screen(async () => (await import('./dashboard/dashboard-screen.tsx')).DashboardScreen),
  },
  {
    path: '/daily-schedule',
    label: 'Daily Schedule',
    icon: 'calendar',
    needs: 'stock:read',
    shortcut: 'Schedule',
    ...screen(async () => (await import('./schedule/schedule-screen.tsx')).ScheduleScreen),
  },
  {
    path: '/route-planning',
    label: 'Route Planning',
    icon: 'route',
    needs: 'stock:read',
    shortcut: 'Routes',
    ...screen(async () => (await import('./route-planning/route-planning-screen.tsx')).RoutePlanningScreen),
  },
  {
    path: '/picking',
    label: 'Pick Lists',
    icon: 'box',
    needs: 'stock:count',
    inside: true,
    ...screen(async () => (await import('./picking/picking-screen.tsx')).PickingScreen),
  },
  {
    path: '/route-planning/day',
    label: 'Plan the Day',
    icon: 'route',
    needs: 'route:plan',
    inside: true,
    ...screen(async () => (await import('./day-plans/day-plan-screen.tsx')).DayPlanScreen),
  },
  {
    path: '/inventory',
    label: 'Inventory & Integrations',
    icon: 'box',
    needs: 'stock:read',
    shortcut: 'Inventory',
    ...screen(async () => (await import('./inventory/inventory-screen.tsx')).InventoryScreen),
  },
  {
    path: '/mobile-inventory',
    label: 'Mobile Inventory',
    icon: 'phone',
    needs: 'stock:read',
    ...screen(async () => (await import('./field-inventory/field-inventory-screen.tsx')).FieldInventoryScreen),
  },
  {
    path: '/markets',
    label: 'Markets',
    icon: 'market',
    needs: 'stock:read',
    ...screen(async () => (await import('./markets/markets-screen.tsx')).MarketsScreen),
  },
  {
    path: '/markets/:id',
    label: 'Market',
    icon: 'market',
    needs: 'stock:read',
    inside: true,
    ...screen(async () => (await import('./locations/market-screen.tsx')).MarketScreen),
  },
  {
    path: '/vending-machines',
    label: 'Vending Machines',
    icon: 'machine',
    needs: 'stock:read',
    shortcut: 'Vending',
    ...screen(async () => (await import('./machines/machines-screen.tsx')).MachinesScreen),
  },
  {
    path: '/vending-machines/alerts',
    label: 'Alerts',
    icon: 'bell',
    needs: 'stock:read',
    inside: true,
    ...screen(async () => (await import('./alerts/alerts-screen.tsx')).AlertsScreen),
  },
  {
    path: '/vending-machines/:id',
    label: 'Vending Machine',
    icon: 'machine',
    needs: 'stock:read',
    inside: true,
    ...screen(async () => (await import('./locations/machine-screen.tsx')).MachineScreen),
  },
  {
    path: '/products',
    label: 'Products',
    icon: 'box',
    needs: 'office:read',
    inside: true,
    under: '/inventory',
    ...screen(async () => (await import('./products/products-screen.tsx')).ProductsScreen),
  },
  {
    path: '/products/:id',
    label: 'Product',
    icon: 'box',
    needs: 'office:read',
    inside: true,
    under: '/inventory',
    ...screen(async () => (await import('./products/product-screen.tsx')).ProductScreen),
  },
  {
    path: '/import',
    label: 'Import',
    icon: 'upload',
    needs: 'office:write',
    inside: true,
    ...screen(async () => (await import('./imports/import-screen.tsx')).ImportScreen),
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: 'settings',
    needs: 'office:read',
    inside: true,
    ...screen(async () => (await import('./settings/settings-screen.tsx')).SettingsScreen),
  },
  {
    path: '/account',
    label: 'Your Account',
    icon: 'person',
    needs: 'stock:read',
    inside: true,
    ...screen(async () => (await import('./account/account-screen.tsx')).AccountScreen),
  },
  {
    path: '/reports',
    label: 'Reports',
    icon: 'chart',
    needs: 'office:read',
    ...screen(async () => (await import('./reports/reports-screen.tsx')).ReportsScreen),
  },
  {
    path: '/payment-reports',
    label: 'Payment Reports',
    icon: 'card',
    needs: 'office:read',
    ...screen(async () => (await import('./payment-reports/payment-reports-screen.tsx')).PaymentReportsScreen),
  },
  {
    path: '/cantaloupe',
    label: 'Cantaloupe',
    icon: 'plug',
    needs: 'office:read',
    ...screen(async () => (await import('./cantaloupe/cantaloupe-screen.tsx')).CantaloupeScreen),
  },
  {
    path: '/nayax-moma',
    label: 'Nayax & MoMa',
    icon: 'link',
    needs: 'office:read',
    ...screen(async () => (await import('./nayax-moma/nayax-moma-screen.tsx')).NayaxMomaScreen),
  },
  {
    path: '/nama-vdi',
    label: 'NAMA VDI 2.0',
    icon: 'swap',
    needs: 'office:read',
    ...screen(async () => (await import('./nama-vdi/nama-vdi-screen.tsx')).NamaVdiScreen),
  },
  {
    path: '/integrations',
    label: 'Lightspeed Retail',
    icon: 'link',
    needs: 'office:read',
    inside: true,
    under: '/inventory',
    ...screen(async () => (await import('./lightspeed/lightspeed-screen.tsx')).LightspeedScreen),
  },
  {
    path: '/integration-sync',
    label: 'Integration Sync',
    icon: 'refresh',
    needs: 'office:read',
    ...screen(async () => (await import('./sync-center/sync-center-screen.tsx')).SyncCenterScreen),
  },
  {
    path: '/enterprise-dashboard',
    label: 'Enterprise Performance',
    icon: 'pulse',
    needs: 'office:read',
    ...screen(async () => (await import('./performance/performance-screen.tsx')).PerformanceScreen),
  },
  {
    path: '/admin-dashboard',
    label: 'Admin Dashboard',
    icon: 'person',
    needs: 'people:manage',
    ...screen(async () => (await import('./admin/admin-screen.tsx')).AdminScreen),
  },
  {
    path: '/device-login',
    label: 'Device Login',
    icon: 'key',
    needs: 'stock:read',
    ...screen(async () => (await import('./device-login/device-login-screen.tsx')).DeviceLoginScreen),
  },
  {
    path: '/manual',
    label: 'Manual',
    icon: 'info',
    needs: 'stock:read',
    inside: true,
    ...screen(async () => (await import('./manual/manual-screen.tsx')).ManualScreen),
  },
  {
    path: '/manual/:page',
    label: 'Manual',
    icon: 'info',
    needs: 'stock:read',
    inside: true,
    ...screen(async () => (await import('./manual/manual-screen.tsx')).ManualScreen),
  },
  {
    path: '/counts-to-review',
    label: 'Counts to Review',
    icon: 'check',
    needs: 'office:write',
    inside: true,
    under: '/inventory',
    ...screen(async () => (await import('./stock-review/stock-review-screen.tsx')).StockReviewScreen),
  },
  {
    path: '/integrations/review',
    label: 'Partner Connections',
    icon: 'check',
    needs: 'office:write',
    inside: true,
    under: '/inventory',
    ...screen(async () => (await import('./integration-review/review-screen.tsx')).IntegrationReviewScreen),
  },
];
