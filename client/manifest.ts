import type { ManifestOptions } from 'vite-plugin-pwa';
import { site } from '../shared/site.ts';

/** The web app manifest: name and icons of the installed app. */
export const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: site.name,
  short_name: 'Capsule',
  description: site.tagline,
  lang: 'en',
  dir: 'ltr',
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  theme_color: '#f4f1ea',
  background_color: '#f4f1ea',
  categories: ['lifestyle', 'personalization'],
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/icon-monochrome-512.png', sizes: '512x512', type: 'image/png', purpose: 'monochrome' },
  ],
  // Handled by the service worker, which makes a draft of shared files and text.
  share_target: {
    action: '/share',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'title',
      text: 'text',
      url: 'url',
      files: [{ name: 'files', accept: ['image/*', 'video/*', 'application/pdf'] }],
    },
  },
};
