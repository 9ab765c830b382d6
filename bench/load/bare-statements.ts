const machines = (more: string): string => `select id, name, machine_id as "machineId", location, address, city, state,
  latitude::text, longitude::text, status, route_designation as "routeDesignation", capacity, current_stock as "currentStock",
  low_slots as "lowSlots", empty_slots as "emptySlots", last_restocked as "lastRestocked", last_maintenance as "lastMaintenance",
  install_date::text as "installDate", model, serial_number as "serialNumber", vendor_id as "vendorId",
  contact_phone as "contactPhone", notes, access_hours as "accessHours", access_notes as "accessNotes",
  integration_id as "integrationId", integration_source as "integrationSource", last_seen as "lastSeen",
  created_at as "createdAt", updated_at as "updatedAt"${more} from vending_machines where deleted_at is null`;

const level = `(case when target_units <= 0 then 0
  else greatest(0, least(100, round(100.0 * stocked_units / target_units))) end)::int`;

/**
 * What each hot call reads, as somebody would write it who answers one operator and nobody else: the columns, the order and the
 * count of the reply, without scope and pages.
 */
export const bareStatements: Record<string, string> = {
  '/api/vending-machines?route=101': `${machines('')} and route_designation = '101' order by name, id`,
  '/api/vending-machines/page': `${machines(', (select count(*)::int from vending_machines where deleted_at is null) as total')}
    order by lower(name), id limit 51`,
  '/api/inventory/page': `select i.id, i.market_id as "marketId", i.product_id as "productId", i.product_name as "productName",
    i.current_quantity as "currentQuantity", i.minimum_quantity as "minimumQuantity", i.par_quantity as "parQuantity",
    p.unit_price::text as price, p.unit_cost::text as cost, i.last_restocked as "lastRestocked", i.updated_at as "updatedAt",
    coalesce(b.version, 0) as version, m.name as "marketName",
    (select sum(item_count)::int from markets where deleted_at is null) as total
    from inventory_items i join markets m on m.id = i.market_id left join products p on p.id = i.product_id
    left join item_balances b on b.item_type = 'market_item' and b.item_id = i.id
    where i.deleted_at is null and m.deleted_at is null
    order by i.current_quantity::bigint * 1000 / greatest(i.minimum_quantity, 1), i.id limit 51`,
  '/api/markets/with-inventory/page': `select id, name, address, city, state, latitude::text, longitude::text, status,
    route_designation as "routeDesignation", access_hours as "accessHours", access_notes as "accessNotes",
    contact_phone as "contactPhone", notes, integration_id as "integrationId", integration_source as "integrationSource",
    last_updated as "lastUpdated", updated_at as "updatedAt", version, ${level} as "stockLevel", item_count as "inventoryItems",
    low_stock_count as "lowStockCount", (select count(*)::int from markets where deleted_at is null) as total
    from markets where deleted_at is null order by ${level}, id limit 51`,
  '/api/products/page': `select id, name, brand, category, unit_price::text as "unitPrice", unit_cost::text as "unitCost",
    case_size as "caseSize", shelf_life_days as "shelfLifeDays", picture, change_seq::float8 as version, updated_at as "updatedAt",
    coalesce((select json_agg(b.code order by b.code) from product_barcodes b where b.product_id = p.id), '[]') as barcodes,
    (select count(*)::int from products where merged_into is null) as total
    from products p where merged_into is null order by lower(name), id limit 51`,
  '/api/vending-machine-inventory/1': `select s.id, s.machine_id as "machineId", s.product_id as "productId",
    s.product_name as "productName", s.product_code as "productCode", s.slot_number as "slotNumber",
    s.current_quantity as "currentQuantity", s.max_quantity as "maxQuantity", s.max_quantity as capacity,
    s.par_quantity as "parQuantity", s.minimum_quantity as "minimumQuantity", s.price::text, s.cost::text, s.category, s.brand,
    s.expiration_date::text as "expirationDate", s.planned, p.picture, s.last_restocked as "lastRestocked",
    s.updated_at as "updatedAt", coalesce(b.version, 0) as version
    from vending_machine_inventory s left join products p on p.id = s.product_id
    left join item_balances b on b.item_type = 'machine_slot' and b.item_id = s.id
    where s.deleted_at is null and s.machine_id = 1 order by s.slot_number, s.id`,
  '/api/vending-machine-alerts/page': `select a.id, a.machine_id as "machineId", m.name as "machineName",
    m.route_designation as "routeDesignation", a.alert_type as "alertType", a.message, a.severity, a.acknowledged,
    a.acknowledged_by as "acknowledgedBy", a.acknowledged_at as "acknowledgedAt", a.resolved_at as "resolvedAt",
    a.resolved_by as "resolvedBy", a.created_at as "createdAt",
    (select count(*)::int from vending_machine_alerts x join vending_machines y on y.id = x.machine_id
     where x.resolved_at is null and y.deleted_at is null) as total
    from vending_machine_alerts a join vending_machines m on m.id = a.machine_id
    where a.resolved_at is null and m.deleted_at is null order by a.created_at desc, a.id desc limit 51`,
  '/api/dashboard/stats': `select m.*, r.*, t.* from
    (select count(*)::int as total, count(*) filter (where status = 'active')::int as active,
       count(*) filter (where status = 'maintenance')::int as maintenance, count(*) filter (where status = 'inactive')::int as inactive,
       coalesce(sum(low_stock_count), 0)::int as low from markets where deleted_at is null) m,
    (select json_agg(json_build_object('name', o.name, 'stops', (select count(*) from route_stops s where s.route_id = o.id),
       'done', (select count(*) from route_stops s where s.route_id = o.id and s.completed))) as routes
     from routes o where o.date = current_date) r,
    (select json_agg(json_build_object('day', d.date, 'actual', d.actual, 'planned', d.planned)) as days
     from (select date, avg(extract(epoch from completed_at - started_at) / 60) as actual, avg(estimated_time) as planned
       from routes where status = 'completed' and date > current_date - 30 and started_at is not null group by date) d) t`,
  '/api/reports/sales?range=quarter': `select day::text, sum(units) as units, sum(amount)::text as amount, sum(lines) as lines
    from sales_daily where day > current_date - 90 group by day order by day`,
};
