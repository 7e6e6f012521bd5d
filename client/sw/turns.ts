/*
 * The worker has one open database at a time: the signed-in person's, or that of what is added without
 * an account. Whoever is signed in goes first, and what is added goes on another time.
 */

/** Pieces of work for the person that are under way, or wait for the other database to be let go. */
let forPerson = 0;
let adding: { ends: AbortController; done: Promise<unknown> } | null = null;

/** Runs `work`, which opens the person's database, once nothing uses the other one. */
export async function withPersonsDatabase<Done>(work: () => Promise<Done>): Promise<Done> {
  forPerson += 1;
  try {
    adding?.ends.abort();
    await adding?.done;
    return await work();
  } finally {
    forPerson -= 1;
  }
}

/**
 * Runs `work` on the database of what is added.
 * @param work ends when its signal is aborted
 * @throws when the person's database is in use
 */
export async function withAddedDatabase(
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (forPerson > 0 || adding) throw new Error('Another database is in use.');
  const ends = new AbortController();
  const running = work(ends.signal);
  adding = { ends, done: running.catch(() => undefined) };
  try {
    await running;
  } finally {
    adding = null;
  }
}
