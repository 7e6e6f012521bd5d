import type { CDPSession, Page } from 'playwright-core';

/** An authenticator of Chromium's own, built in and unlocked, for one page. */
export async function addVirtualAuthenticator(page: Page) {
  const devTools: CDPSession = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether its owner shows a finger when they are asked. */
    verifies: (isUserVerified: boolean) =>
      devTools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    /** As if it were broken. */
    remove: () => devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  };
}
