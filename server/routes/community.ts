import * as endpoints from '../../shared/api/community.ts';
import type { Deps } from '../deps.ts';
import { getPublicProfile, searchPeople } from '../domain/people.ts';
import { clientAddress } from '../http/client-address.ts';
import type { App } from '../http/context.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { route } from '../http/route.ts';

export function communityRoutes(app: App, deps: Deps, limits: RateLimits): void {
  route(app, endpoints.searchProfile, async ({ actor, query }) => {
    await limits.count('search', actor.userId);
    return searchPeople(deps, actor, query.query);
  });

  route(app, endpoints.getPublicProfile, async ({ c, query }) => {
    await limits.count('search', clientAddress(c, deps.config.trustedProxies));
    return getPublicProfile(deps, query.userId);
  });
}
