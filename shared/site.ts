/**
 * The site's name and texts, on every screen and in every email. Name, address and links are shown
 * where SITE_NAME, SITE_CONTACT and SITE_LINKS are not set.
 */
export const site = {
  name: 'Time Capsule',
  tagline:
    'Preserve your memories for the future. Create digital time capsules and unlock them when the time is right.',
  contactEmail: 'hello@timecapsule.example',
  social: [
    { name: 'Mastodon', url: 'https://mastodon.social/' },
    { name: 'GitHub', url: 'https://github.com/' },
    { name: 'Instagram', url: 'https://www.instagram.com/' },
  ],
  /** The decorative figures of the home page. */
  figures: [
    { value: '10K+', label: 'Capsules created' },
    { value: '5K+', label: 'Happy users' },
    { value: '99.9%', label: 'Uptime' },
    { value: '24/7', label: 'Support' },
  ],
} as const;
