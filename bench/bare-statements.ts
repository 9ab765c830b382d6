const machines = `select id, name, machine_id as "machineId", location, address, latitude::text, longitude::text, status,
  route_designation as "routeDesignation", capacity, current_stock as "currentStock", last_restocked as "lastRestocked"
  from vending_machines where deleted_at is null`;

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
};
