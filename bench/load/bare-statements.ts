const machines = `select id, name, machine_id as "machineId", location, address, latitude::text, longitude::text, status,
  route_designation as "routeDesignation", capacity, current_stock as "currentStock", last_restocked as "lastRestocked"
  from vending_machines where deleted_at is null`;

const slots = `select id, machine_id as "machineId", product_id as "productId", product_name as "productName",
  slot_number as "slotNumber", current_quantity as "currentQuantity", max_quantity as "maxQuantity",
  minimum_quantity as "minimumQuantity", price::text, category, brand, last_restocked as "lastRestocked"
  from vending_machine_inventory where deleted_at is null`;

/** What each hot call reads, as somebody would write it who answers one operator and nobody else. */
export const bareStatements: Record<string, string> = {
  '/api/vending-machines?route=101': `${machines} and route_designation = '101' order by name, id`,
  '/api/vending-machines/page': `${machines} order by name, id limit 51`,
  '/api/inventory/page': `select i.id, i.market_id as "marketId", i.product_name as "productName",
    i.current_quantity as "currentQuantity", i.minimum_quantity as "minimumQuantity", i.last_restocked as "lastRestocked",
    m.name as "marketName" from inventory_items i join markets m on m.id = i.market_id
    where i.deleted_at is null and m.deleted_at is null order by i.id limit 51`,
  '/api/markets/with-inventory/page': `select id, name, address, status, route_designation as "routeDesignation",
    latitude::text, longitude::text, last_updated as "lastUpdated" from markets where deleted_at is null order by name, id limit 51`,
  '/api/products/page': `select id, name, brand, category, unit_price::text as "unitPrice", unit_cost::text as "unitCost"
    from products order by name, id limit 51`,
  '/api/vending-machine-inventory/1': `${slots} and machine_id = 1 order by slot_number, id`,
  '/api/vending-machine-alerts/page': `select a.id, a.machine_id as "machineId", m.name as "machineName", a.alert_type as "alertType",
    a.message, a.severity, a.acknowledged, a.created_at as "createdAt" from vending_machine_alerts a
    join vending_machines m on m.id = a.machine_id where a.resolved_at is null and m.deleted_at is null
    order by a.created_at desc, a.id desc limit 51`,
  '/api/dashboard/stats': `select (select count(*) from markets where deleted_at is null) as "totalMarkets",
    (select sum(low_stock_count) from markets where deleted_at is null) as low,
    (select sum(low_slots) from vending_machines where deleted_at is null) as "lowSlots",
    (select count(*) from routes where date = current_date) as "todayRoute"`,
  '/api/reports/sales?range=quarter': `select day::text, sum(units) as units, sum(amount)::text as amount, sum(lines) as lines
    from sales_daily where day > current_date - 90 group by day order by day`,
};
