import { type SQL, sql } from 'drizzle-orm';
import type { VdiAlert, VdiDevice, VdiSyncJob, VdiTransaction } from '../../contract/nama-vdi.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

type Wish = { configId: number; limit: number };

const iso = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export function findDevices(db: Db, { configId, limit }: Wish): Promise<VdiDevice[]> {
  return rows<VdiDevice>(
    db,
    sql`select id, config_id as "configId", device_id as "deviceId", device_type as "deviceType", serial_number as "serialNumber",
          model, location, latitude::text as latitude, longitude::text as longitude, status, ${iso(sql`last_seen`)} as "lastSeen",
          firmware, capabilities, metadata, link
        from nama_vdi_devices where config_id = ${configId} order by lower(name), id limit ${limit}`,
  );
}

export function findTransactions(db: Db, { configId, limit }: Wish): Promise<VdiTransaction[]> {
  return rows<VdiTransaction>(
    db,
    sql`select t.id::int as id, t.config_id as "configId", t.device_id as "deviceId", t.transaction_id as "transactionId",
          t.transaction_type as "transactionType", t.product_code as "productCode",
          coalesce(t.product_name, (select p.name from product_barcodes b join products p on p.id = b.product_id
            where b.code = t.product_code limit 1)) as "productName",
          t.quantity, t.unit_price::text as "unitPrice", t.total_amount::text as "totalAmount", t.currency,
          t.payment_method as "paymentMethod", t.payment_data as "paymentData", ${iso(sql`t.transaction_date`)} as "transactionDate",
          ${iso(sql`t.processed_at`)} as "processedAt", t.status, t.error_message as "errorMessage", t.dex_data as "dexData", t.metadata
        from nama_vdi_transactions t where t.config_id = ${configId} order by t.transaction_date desc, t.id desc limit ${limit}`,
  );
}

export function findAlerts(db: Db, { configId, limit }: Wish): Promise<VdiAlert[]> {
  return rows<VdiAlert>(
    db,
    sql`select id, config_id as "configId", device_id as "deviceId", alert_type as "alertType", severity, message,
          alert_code as "alertCode", resolved, ${iso(sql`resolved_at`)} as "resolvedAt", resolved_by as "resolvedBy",
          alert_data as "alertData", ${iso(sql`created_at`)} as "createdAt"
        from nama_vdi_alerts where config_id = ${configId} order by created_at desc, id desc limit ${limit}`,
  );
}

export function findSyncJobs(db: Db, { configId, limit }: Wish): Promise<VdiSyncJob[]> {
  return rows<VdiSyncJob>(
    db,
    sql`select id, config_id as "configId", job_type as "jobType", status, ${iso(sql`started_at`)} as "startedAt",
          ${iso(sql`completed_at`)} as "completedAt", records_processed as "recordsProcessed", error_count as "errorCount",
          error_details as "errorDetails", ${iso(sql`last_sync_date`)} as "lastSyncDate", ${iso(sql`next_sync_date`)} as "nextSyncDate",
          cause, ${iso(sql`created_at`)} as "createdAt"
        from nama_vdi_sync_jobs where config_id = ${configId} order by id desc limit ${limit}`,
  );
}
