import { type TokenSet, type VendorContext, VendorError, type VendorReply } from '../connector.ts';
import { system } from './manifest.ts';
import { freshTokens, renewAfterRefusal } from './oauth.ts';
import { isRec, number, type Rec, records } from './read.ts';
import { apiBase } from './store.ts';

/** One page of a list: its records in the order sent, and the highest version among them. */
export type ListPage = { records: Rec[]; highest: number | null; lowest: number | null };

export type ListWish = { after?: number; before?: number; pageSize: number; deleted?: boolean };

/** A page of a list of API 2.0, oldest version first after `after`, newest first before `before`. */
export async function getPage(context: VendorContext, resource: string, wish: ListWish): Promise<ListPage> {
  const query = new URLSearchParams({ page_size: String(wish.pageSize) });
  if (wish.after !== undefined) query.set('after', String(wish.after));
  if (wish.before !== undefined) query.set('before', String(wish.before));
  if (wish.deleted) query.set('deleted', 'true');
  const answer = await get(context, `/${resource}?${query}`);
  if (!isRec(answer) || !Array.isArray(answer.data)) throw unreadable(`the list of ${resource}`);
  const found = records(answer.data);
  // The records tell where the page ends; the envelope, which some lists lack, may speak of more than was sent.
  const versions = found.map((rec) => number(rec, 'version')).filter((version) => version !== null);
  return {
    records: found,
    highest: versions.length ? Math.max(...versions) : null,
    lowest: versions.length ? Math.min(...versions) : null,
  };
}

/** One record, or null where the vendor has none of this id. */
export async function getOne(context: VendorContext, path: string): Promise<Rec | null> {
  const answer = await get(context, path);
  if (answer === null) return null;
  const { data } = isRec(answer) ? answer : { data: null };
  if (isRec(data)) return data;
  throw unreadable(`the record ${path}`);
}

/** A list without pages, such as the stock of one product. */
export async function getList(context: VendorContext, path: string): Promise<Rec[]> {
  const answer = await get(context, path);
  return isRec(answer) ? records(answer.data) : [];
}

async function get(context: VendorContext, path: string): Promise<unknown> {
  const reply = await ask(context, path);
  if (reply.status === 404) return null;
  if (reply.status < 200 || reply.status > 299) throw refusal(reply);
  return reply.json();
}

/** Asks with tokens that last; a refused one is renewed once, never in a loop. */
export async function ask(
  context: VendorContext,
  path: string,
  request: { method?: 'POST'; body?: string; root?: string } = {},
): Promise<VendorReply> {
  const { root = '/api/2.0', ...rest } = request;
  const url = `${apiBase(context)}${root}${path}`;
  const send = ({ accessToken }: TokenSet) =>
    context.fetch(url, {
      ...rest,
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json',
        ...(rest.body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    });
  const tokens = await freshTokens(context);
  const reply = await send(tokens);
  if (reply.status !== 401) return reply;
  const again = await send(await renewAfterRefusal(context, tokens));
  if (again.status === 401) throw reconnect();
  return again;
}

function refusal(reply: VendorReply): VendorError {
  if (reply.status === 403) {
    return new VendorError(
      system,
      'forbidden',
      'Lightspeed knows the connection but does not let it read this. Connect again with a person who may see products and sales.',
    );
  }
  return new VendorError(
    system,
    'bad-data',
    `Lightspeed answered with ${reply.status}, which it should not. Try again; if it stays so, look at the status page of Lightspeed.`,
  );
}

const unreadable = (what: string): VendorError =>
  new VendorError(system, 'bad-data', `Lightspeed sent ${what} in a form that cannot be read. Try again later.`);

/** Nobody but a person, who connects anew, can put it right. */
export const reconnect = (): VendorError =>
  new VendorError(system, 'reconnect', 'Lightspeed says the connection was revoked: reconnect.');
