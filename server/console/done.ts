/** The result of an action without data. */
export async function done(doing: Promise<unknown>): Promise<Record<never, never>> {
  await doing;
  return {};
}
