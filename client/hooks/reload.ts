type Task = () => Promise<void>;

const tasks = new Set<Task>();

/** Registers a task to finish before the app reloads itself. @returns how to remove it */
export function beforeReload(task: Task): () => void {
  tasks.add(task);
  return () => tasks.delete(task);
}

/** Resolves once everything typed is saved and every picked file is copied, or could not be. */
export async function readyToReload(): Promise<void> {
  await Promise.allSettled([...tasks].map((task) => task()));
}

export async function saveAndReload(): Promise<void> {
  await readyToReload();
  location.reload();
}
