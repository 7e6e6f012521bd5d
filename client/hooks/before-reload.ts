type Task = () => Promise<void>;

const tasks = new Set<Task>();

/** Names what must be done before the app starts anew by itself. @returns how to take it back */
export function beforeReload(task: Task): () => void {
  tasks.add(task);
  return () => tasks.delete(task);
}

/** Everything typed is written, every picked file is copied. */
export async function readyToReload(): Promise<void> {
  await Promise.allSettled([...tasks].map((task) => task()));
}
