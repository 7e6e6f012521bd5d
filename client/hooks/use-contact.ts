import { useEffect } from 'react';
import { type Contact, contactSchema, getContact } from '../../shared/api/site.ts';
import { site } from '../../shared/site.ts';
import { call } from '../api/client.ts';
import { deviceStorage } from '../db/web-storage.ts';
import { createExternalStore, useExternalStore } from './store.ts';

const KEY = 'contact';
const UNKNOWN: Contact = { email: site.contactEmail, links: [...site.social] };

const saved = contactSchema.safeParse(deviceStorage.readJson(KEY));
const contact = createExternalStore<Contact>(saved.data ?? UNKNOWN, UNKNOWN);
let asked = false;

/** How to reach who runs this server: what it said last, then what it says now. */
export function useContact(): Contact {
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
  return useExternalStore(contact);
}
