import type { DeliveryContent } from '../../contract/integration-review.ts';
import type { VendorSale } from '../../domain/integration.ts';
import type { Deps } from '../deps.ts';
import { connectorOf, requireConfig } from '../integrations/service.ts';
import { findDelivery, requestOf, webhookContext } from './inbox.ts';

/** More than this is not read on a screen. */
const mostCharacters = 20_000;
const mostSales = 20;
const shortestSecret = 4;

// Bounded, so that no text makes the search long.
const secretName =
  '[\\w-]{0,40}(?:secret|token|password|passwd|authorization|api[_-]?key|hash[_-]?code|signature)[\\w-]{0,40}';
/** As JSON, as a form or setting, and as XML. */
const secretPairs = [
  new RegExp(`("${secretName}"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"|[^\\s,}\\]]+)`, 'gi'),
  new RegExp(`(\\b${secretName}\\s*=\\s*)("[^"]*"|[^\\s&;,<>]+)`, 'gi'),
  new RegExp(`(<${secretName}(?:\\s[^>]*)?>)([^<]+)`, 'gi'),
];

/** What came with a message, for a person to read: its sales where it can be read, and its text without secrets. */
export async function readDelivery(deps: Deps, id: number): Promise<DeliveryContent> {
  const delivery = await findDelivery(deps.db, id);
  const config = await requireConfig(deps.db, delivery.configId);
  const connector = connectorOf(deps, config.system);
  const context = await webhookContext(deps, config);
  const secrets = connector.manifest.fields
    .filter(({ kind }) => kind === 'secret')
    .flatMap(({ name }) => [context.settings[name], context.previousSettings?.[name]])
    .filter((value) => typeof value === 'string')
    .filter((value) => value.length >= shortestSecret);
  const request = requestOf(delivery);
  const text = delivery.body === null ? null : textOf(request.body);
  return {
    id,
    text: text === null ? null : shownOf(text, secrets),
    isShortened: text !== null && text.length > mostCharacters,
    sales: delivery.body === null ? [] : salesIn(() => connector.webhook?.parse(request, context).batch.sales ?? []),
  };
}

/** A message that cannot be read tells no sale; why it cannot stands beside it. */
function salesIn(read: () => readonly VendorSale[]): DeliveryContent['sales'] {
  try {
    return read()
      .slice(0, mostSales)
      .map(({ deviceId, productName, amount, currency, soldAt }) => ({
        ...{ deviceId, productName, amount, currency },
        soldAt: soldAt.toISOString(),
      }));
  } catch {
    return [];
  }
}

/** Null for what is no text: files come as messages too. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** What is known to be secret goes before the text is cut, so that no half of it is left. */
function shownOf(text: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((left, secret) => left.replaceAll(secret, '••••'), text).slice(0, mostCharacters);
  return secretPairs.reduce((left, pair) => left.replace(pair, '$1••••'), hidden);
}
