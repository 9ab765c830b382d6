import * as contract from '../../contract/people.ts';
import { AppError } from '../../domain/errors.ts';
import { deactivatePerson } from '../auth/service.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { change, invite, inviteAgain, reactivate, seen } from './administration.ts';
import { pageOfPeople } from './page.ts';

export function peopleEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.pagePeople, ({ query }) => pageOfPeople(deps.db, query)),
    handle(contract.invitePerson, ({ caller, body }) => invite(deps, caller, body)),
    handle(contract.updatePerson, ({ caller, params, body }) => change(deps, caller, params.id, body)),
    handle(contract.deactivatePerson, async ({ caller, params }) => {
      if (params.id === caller.userId) {
        throw new AppError('conflict', 'You cannot deactivate yourself. Ask another administrator.');
      }
      await deactivatePerson(deps, caller, params.id);
      return seen(deps.db, params.id);
    }),
    handle(contract.reactivatePerson, ({ caller, params }) => reactivate(deps, caller, params.id)),
    handle(contract.inviteAgain, async ({ caller, params }) => {
      await inviteAgain(deps, caller, params.id);
      return { sent: true as const };
    }),
  ];
}
