import * as endpoints from '../../../shared/api/contributions.ts';
import { CONTRIBUTION_SECRET_HEADER, CONTRIBUTION_TOKEN_HEADER } from '../../../shared/limits.ts';
import { fieldError } from '../../app-error.ts';
import { CONTRIBUTION_PARTS } from '../../client-limits.ts';
import type { Deps } from '../../deps.ts';
import { checkNoMaintenance } from '../../domain/doors/maintenance.ts';
import {
  endContributionLink,
  listAdded,
  makeContributionLink,
  putBackAdded,
  removeAdded,
} from '../../domain/drafts/added.ts';
import {
  getContribution,
  openContributionLink,
  saveContribution,
  startContributionUpload,
  takeBackContribution,
  uploaderOf,
  type Writer,
  whyNotAdd,
} from '../../domain/drafts/contributions.ts';
import { createTurns } from '../../domain/storage/turns.ts';
import { abandonUpload, getUpload, receivePart } from '../../domain/storage/uploads.ts';
import { arrivingPart } from '../../http/arriving-part.ts';
import type { App, AppContext } from '../../http/context.ts';
import { route } from '../../http/route.ts';
import { chunkDigests, placeOf, progressOf } from '../capsules/resumable-uploads.ts';

/** For the organiser. */
export function addedRoutes(app: App, deps: Deps): void {
  route(app, endpoints.makeContributionLink, async ({ actor, params, body }) => {
    await checkNoMaintenance(deps);
    return makeContributionLink(deps, actor, { ...params, ...body });
  });

  route(app, endpoints.endContributionLink, async ({ actor, params }) => {
    await endContributionLink(deps, actor, params.id);
    return { message: 'The link has ended. What others have added stays.' };
  });

  route(app, endpoints.listAdded, async ({ actor, params }) => listAdded(deps, actor, params.id));

  route(app, endpoints.removeAdded, async ({ actor, params }) => {
    await removeAdded(deps, actor, params);
    return { message: 'It has been removed, unread.' };
  });

  route(app, endpoints.putBackAdded, async ({ actor, params }) => {
    await putBackAdded(deps, actor, params);
    return { message: "It's back." };
  });
}

/** For those who add. Nobody has to be signed in. */
export function contributionRoutes(app: App, deps: Deps): void {
  const turns = createTurns();
  const uploader = async (c: AppContext, params: { id: string }) => {
    await countCall(c);
    return uploaderOf(deps, writer(c, params));
  };

  route(app, endpoints.openContributionLink, async ({ c }) => {
    await countCall(c);
    return openContributionLink(deps, tokenOf(c));
  });

  route(
    app,
    endpoints.saveContribution,
    async ({ c, params, body }) => {
      const added = { ...writer(c, params), ...body, token: tokenOf(c) };
      return inTurn(c, () => saveContribution(deps, added));
    },
    async ({ c, params }) => {
      await countCall(c);
      await checkNoMaintenance(deps);
      return whyNotAdd(deps, { ...writer(c, params), token: tokenOf(c) });
    },
  );

  route(app, endpoints.getContribution, async ({ c, params }) => {
    await countCall(c);
    return getContribution(deps, writer(c, params));
  });

  route(app, endpoints.takeBackContribution, async ({ c, params }) => {
    await countCall(c);
    const own = writer(c, params);
    await inTurn(c, () => takeBackContribution(deps, own));
    return { message: "It's taken back. Nobody has read it." };
  });

  route(app, endpoints.startContributionUpload, async ({ c, params, body }) => {
    await countCall(c);
    await checkNoMaintenance(deps);
    const file = { id: params.uploadId, ...body };
    const own = writer(c, params);
    return progressOf(c, await inTurn(c, () => startContributionUpload(deps, own, file)));
  });

  route(app, endpoints.getContributionUpload, async ({ c, params }) =>
    progressOf(c, await getUpload(deps, await uploader(c, params), params.uploadId)),
  );

  route(app, endpoints.sendContributionPart, async ({ c, params }) => {
    const owner = await uploader(c, params);
    await checkNoMaintenance(deps);
    const place = placeOf(c);
    const limits = c.get('limits');
    const isCrowded = () => limits.inProgress('contributionParts') > CONTRIBUTION_PARTS / 2;
    const part = arrivingPart(c.env.incoming, chunkDigests(c), { isCrowded });
    const receive = () => receivePart(deps, turns, owner, params.uploadId, place, part);
    const ofAll = () => limits.inTurn('contributionParts', '', receive);
    const ofOrganiser = () => limits.inTurn('organiserParts', owner.userId, ofAll);
    return progressOf(
      c,
      await limits.inTurn('contributionPart', owner.contributionId, ofOrganiser),
    );
  });

  route(app, endpoints.abandonContributionUpload, async ({ c, params }) => {
    await abandonUpload(deps, turns, await uploader(c, params), params.uploadId);
    return { message: 'The upload has been cancelled.' };
  });
}

function countCall(c: AppContext): Promise<void> {
  return c.get('limits').take('contribution', c.get('client'));
}

function inTurn<T>(c: AppContext, change: () => Promise<T>): Promise<T> {
  return c.get('limits').inTurn('contributionChange', '', change);
}

function tokenOf(c: AppContext): string {
  return c.req.header(CONTRIBUTION_TOKEN_HEADER) ?? '';
}

/** @throws VALIDATION_FAILED */
function writer(c: AppContext, { id }: { id: string }): Writer {
  const secret = c.req.header(CONTRIBUTION_SECRET_HEADER) ?? '';
  if (endpoints.CONTRIBUTION_SECRET.test(secret)) return { id, secret };
  const message = `${CONTRIBUTION_SECRET_HEADER} must be 32 random bytes in base64url.`;
  throw fieldError(CONTRIBUTION_SECRET_HEADER, message);
}
