import * as endpoints from '../../../shared/api/reports.ts';
import type { Deps } from '../../deps.ts';
import { report } from '../../domain/doors/reports.ts';
import type { App } from '../../http/context.ts';
import { route } from '../../http/route.ts';

export function reportRoutes(app: App, deps: Deps): void {
  route(app, endpoints.report, async ({ actor, body }) => {
    await report(deps, actor, body);
    return { message: "Thank you. We've passed it on to whoever runs this site." };
  });
}
