/** So many are decided within the time of one call, also when the database is slow. */
export const PART = 10;

/**
 * Sends the items in parts, one after the other, and adds each part's answers to `answers`. After a refusal it may be called again: it goes
 * on where it was. `onReached`: how many have been answered. `isCancelled`: no further part is sent; what was answered is the result.
 */
export async function inParts<Item, Answer>(
  items: readonly Item[],
  answers: Answer[],
  send: (part: readonly Item[]) => Promise<readonly Answer[]>,
  onReached: (done: number) => void,
  isCancelled: () => boolean = () => false,
): Promise<readonly Answer[]> {
  while (answers.length < items.length && !isCancelled()) {
    onReached(answers.length);
    answers.push(...(await send(items.slice(answers.length, answers.length + PART))));
  }
  return answers;
}
