import { type Connector, VendorError } from '../../connectors/connector.ts';
import type { Deps } from '../deps.ts';
import { connectorOf, noteProblem, refuseAddresses, requireConfig } from '../integrations/service.ts';
import { stopSignal } from './background.ts';
import { type Connection, connect } from './context.ts';
import type { Asked } from './vendor-fetch.ts';

/** A person looks on: a partner that says nothing is not tried as often as by a sync. */
const usualPatienceMs = 20_000;

/**
 * One call that proves address and credentials; what went wrong is a sentence, not an error. An address that may not be
 * called is refused as it is when it is entered.
 */
export async function testConnection(
  deps: Deps,
  configId: number,
  patienceMs = usualPatienceMs,
): Promise<{ connected: boolean; detail: string | null; error: string | null }> {
  const config = await requireConfig(deps.db, configId);
  const connector = connectorOf(deps, config.system);
  await refuseAddresses(deps, connector.manifest, config.settings);
  const late = AbortSignal.timeout(patienceMs);
  const signal = AbortSignal.any([stopSignal(deps), late]);
  let connection: Connection | null = null;
  try {
    // Whoever tests wants to know it now: a pause after failures keeps no call away.
    connection = await connect(deps, config, { signal, known: {}, mostWaitedMs: patienceMs });
    const { detail } = await connector.testConnection(connection.context);
    await noteProblem(deps.db, configId, null, deps.clock.now());
    await connection.save();
    return { connected: true, detail, error: null };
  } catch (error) {
    const isLate = late.aborted && !(error instanceof VendorError);
    const asked = isLate || isTurnedAway(error) ? (connection?.asked() ?? null) : null;
    const unasked = isLate ? tooLate(connector, error) : error;
    const wrong = asked ? askedToWait(connector, asked, deps.clock.now()) : unasked;
    if (!(wrong instanceof VendorError)) throw error;
    await noteProblem(deps.db, configId, { kind: wrong.kind, sentence: wrong.message }, deps.clock.now());
    // Syncs wait as well. A test whose patience ends while it waits knows until when only from the answer.
    if (asked) await connection?.save(asked.until);
    return { connected: false, detail: null, error: wrong.message };
  }
}

const isTurnedAway = (error: unknown): boolean => error instanceof VendorError && error.kind === 'rate-limit';

const tooLate = ({ manifest: { system, label } }: Connector, cause: unknown): VendorError =>
  new VendorError(system, 'down', `${label} does not answer in time. Check the address, or try again later.`, cause);

function askedToWait({ manifest: { system, label } }: Connector, { until }: Asked, now: Date): VendorError {
  if (!until) {
    const unsaid = `${label} asks to wait before the next call, and does not say how long. Test again in a few minutes.`;
    return new VendorError(system, 'rate-limit', unsaid);
  }
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  const told = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return new VendorError(system, 'rate-limit', `${label} asks to wait ${told} before the next call. Test again then.`);
}
