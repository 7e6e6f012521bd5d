/** Whether bytes cost the person something here, as far as the browser says. Files then wait for *Create*. */
export function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; type?: string } };
  return connection?.saveData === true || connection?.type === 'cellular';
}
