import { type Recipient, recipientSchema } from '../../shared/api/user.ts';
import { soundProfile } from './cached.ts';
import { db } from './db.ts';
import { writeAs } from './owner.ts';

/** Remembers whom this person has chosen. */
export async function rememberPeople(owner: string, people: readonly Recipient[]): Promise<void> {
  await writeAs(owner, [db.people], async () => {
    await db.people.bulkPut(people.map((person) => ({ owner, id: person.id, person })));
  });
}

/** Among the person themself and those they have chosen before, by name and address. */
export async function findKnownPeople(owner: string, query: string): Promise<Recipient[]> {
  const rows = await db.people.where('owner').equals(owner).toArray();
  const me = soundProfile(await db.profiles.get(owner))?.user;
  const others = rows
    .map(({ person }) => person)
    .filter((person) => recipientSchema.safeParse(person).success)
    .filter(({ id }) => id !== owner);
  const { id = '', name = '', email = '', avatar = '' } = me ?? {};
  const all = me ? [{ id, name, email, avatar, isYou: true }, ...others] : others;
  const wanted = query.trim().toLocaleLowerCase();
  return all.filter((person) =>
    `${person.name}\n${person.email}`.toLocaleLowerCase().includes(wanted),
  );
}
