import { useEffect } from 'react';
import {
  type Contact,
  contactSchema,
  getContact,
  type Registration,
} from '../../shared/api/site.ts';
import { site } from '../../shared/site.ts';
import { call } from '../api/client.ts';
import { deviceStorage } from '../db/web-storage.ts';
import { createExternalStore, useExternalStore } from './store.ts';

const KEY = 'contact';
const UNKNOWN: Contact = { email: site.contactEmail, links: [...site.social] };

const saved = contactSchema.safeParse(deviceStorage.readJson(KEY));
const contact = createExternalStore<Contact>(saved.data ?? UNKNOWN, UNKNOWN);
let asked = false;

/**
 * What the site is called: as its page says. A worker may have served an older page, so there the
 * server's last answer counts.
 */
export function knownSiteName(): string {
  const isByWorker = Boolean(navigator.serviceWorker?.controller);
  const meta = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');
  return (isByWorker && contact.get().name) || meta?.content || site.name;
}

/** Who can make an account here. */
export function useRegistration(): Registration {
  return useContact().registration ?? 'open';
}

/** How to reach who runs this server: what it said last, then what it says now. */
export function useContact(): Contact & { isExample: boolean } {
  useEffect(() => {
    if (asked) return;
    asked = true;
    call(getContact).then(
      (answer) => {
        deviceStorage.write(KEY, JSON.stringify(answer));
        contact.set(answer);
      },
      () => undefined,
    );
  }, []);
  const known = useExternalStore(contact);
  return { ...known, isExample: known.email === site.contactEmail };
}
