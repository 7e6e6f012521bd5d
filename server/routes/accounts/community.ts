import * as endpoints from '../../../shared/api/community.ts';
import type { Deps } from '../../deps.ts';
import { getPublicProfile, searchPeople } from '../../domain/accounts/people.ts';
import type { App } from '../../http/context.ts';
import { route } from '../../http/route.ts';

export function communityRoutes(app: App, deps: Deps): void {
  route(app, endpoints.searchProfile, async ({ c, actor, query }) => {
    await c.get('limits').take('search', actor.userId);
    return searchPeople(deps, actor, query.query);
  });

  route(app, endpoints.getPublicProfile, async ({ c, query }) => {
    await c.get('limits').take('search', c.get('client'));
    const viewer = await c.get('findActor')();
    return getPublicProfile(deps, viewer, query.userId);
  });
}
