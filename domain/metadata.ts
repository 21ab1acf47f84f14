/** What a partner notes on its own records: texts by name. We keep and echo them, and use them for nothing. */
export type Metadata = Readonly<Record<string, string>>;

export const MOST_METADATA = 20;
export const METADATA_NAME_LENGTH = 40;
export const METADATA_TEXT_LENGTH = 500;

/** Whether both say the same, in any order; nothing is the same as an empty object. */
export function isSameMetadata(one: Metadata | null, other: Metadata | null): boolean {
  const [left, right] = [one ?? {}, other ?? {}];
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => left[name] === right[name]);
}
