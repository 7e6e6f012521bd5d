import type { Deps } from '../../deps.ts';
import { eachContribution } from './capsule-view.ts';

/** A capsule as JSON, piece by piece: letters of others may be more than memory has room for. */
export async function* capsuleJson(
  deps: Pick<Deps, 'db'>,
  view: Parameters<typeof eachContribution>[1],
): AsyncGenerator<string> {
  const outside = JSON.stringify(view.capsule);
  let before = `${outside.slice(0, -1)},"contributions":[`;
  let isAny = false;
  for await (const contribution of eachContribution(deps, view)) {
    yield before + JSON.stringify(contribution);
    before = ',\n';
    isAny = true;
  }
  yield isAny ? ']}' : outside;
}
