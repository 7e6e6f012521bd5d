/** Does something with each item, one after the other, with a pause between two. */
export async function inTurn<Item>(
  items: readonly Item[],
  pauseMs: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    await work(item, index);
  }
}
