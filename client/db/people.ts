import type { Capsule } from '../../shared/api/capsules.ts';
import type { CurrentUser } from '../../shared/api/user.ts';
import { PROFILE_KEY, readResponse } from './cache.ts';
import { db, openedUserId } from './database.ts';
import type { ChosenRecipient } from './tables.ts';

/** Remembers recipients for the next capsule, to be found without a connection. */
export async function rememberPeople(people: readonly ChosenRecipient[]): Promise<void> {
  // Whoever was invited has their address as id, until they have an account.
  await db.people.bulkDelete(people.map(({ email }) => email));
  await db.people.bulkPut(people.map((person) => ({ id: person.id, person })));
}

/** Remembers the sender of a capsule, unless they are known already, with their picture. */
export async function rememberSender(capsule: Capsule): Promise<void> {
  const { senderId: id, senderName: name, senderEmail: email } = capsule;
  if (!id || (await db.people.get(id))) return;
  await rememberPeople([{ id, name, email, avatar: '', isYou: false }]);
}

/** Nobody is suggested who was blocked. */
export async function forgetPerson(id: string): Promise<void> {
  await db.people.delete(id);
}

/** Finds the person themself and earlier recipients by name and address. */
export async function findKnownPeople(query: string): Promise<ChosenRecipient[]> {
  const rows = await db.people.toArray();
  const me = (await readResponse<CurrentUser>(PROFILE_KEY))?.body;
  const others = rows.map(({ person }) => person).filter(({ id }) => id !== openedUserId());
  const { id = '', name = '', email = '', avatar = '' } = me ?? {};
  const all = me ? [{ id, name, email, avatar, isYou: true }, ...others] : others;
  const wanted = query.trim().toLocaleLowerCase();
  return all.filter((person) =>
    `${person.name}\n${person.email}`.toLocaleLowerCase().includes(wanted),
  );
}
