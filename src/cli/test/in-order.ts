/**
 * Works on items, `jobs` at a time, and hands on each result as soon as those before it are there.
 *
 * @returns all results, in the order of the items
 */
export async function inOrder<T, R>(
  items: readonly T[],
  jobs: number,
  work: (item: T, index: number) => Promise<R>,
  hand: (result: R) => void,
): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length });
  const isDone = items.map(() => false);
  let next = 0;
  let handed = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as T, index);
      isDone[index] = true;
      while (isDone[handed] === true) {
        hand(results[handed] as R);
        handed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, worker));
  return results;
}
