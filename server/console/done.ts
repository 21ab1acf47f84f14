/** For an action of which there is nothing to tell but that it is done. */
export async function done(doing: Promise<unknown>): Promise<Record<never, never>> {
  await doing;
  return {};
}
