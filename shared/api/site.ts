import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const siteLimitsSchema = z.object({
  maxFileMB: z.number(),
  /** All files of one capsule together. */
  maxCapsuleMB: z.number(),
  maxFiles: z.int(),
  storageLimitMB: z.number(),
  /**
   * Whoever invites someone is shown the link, to hand it over: addresses are not confirmed, and
   * registration is not closed.
   */
  handsOverInvitations: z.optional(z.boolean()),
});
export type SiteLimits = z.infer<typeof siteLimitsSchema>;

export const getSiteLimits = endpoint({
  method: 'GET',
  path: '/api/limits',
  summary:
    "This server's limits, so that an app can show them before a file is chosen, and how people are invited.",
  access: 'anyone',
  status: 200,
  response: siteLimitsSchema,
});

/** Who can make an account: anybody, whoever is invited, or only whom the operator has invited. */
export const REGISTRATIONS = ['open', 'invited', 'closed'] as const;
export type Registration = (typeof REGISTRATIONS)[number];

export const contactSchema = z.object({
  email: z.string(),
  links: z.array(z.object({ name: z.string(), url: z.string() })),
  // Absent where a server of an earlier version answers.
  registration: z.optional(z.enum(REGISTRATIONS)),
  /** What the identity provider is called by which people can sign in. Absent without one. */
  provider: z.optional(z.string()),
  /** Passwords sign nobody in here. */
  passwordsOff: z.optional(z.boolean()),
  /** What the site is called. */
  name: z.optional(z.string()),
  /** Who is responsible for the site, and its own terms, on pages elsewhere. */
  imprintUrl: z.optional(z.nullable(z.string())),
  termsUrl: z.optional(z.nullable(z.string())),
});
export type Contact = z.infer<typeof contactSchema>;

export const getContact = endpoint({
  method: 'GET',
  path: '/api/contact',
  summary:
    'How to reach who runs this server, what it calls itself, who can make an account, and how people sign in.',
  access: 'anyone',
  status: 200,
  response: contactSchema,
});
