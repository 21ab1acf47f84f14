/** French has one form for 0 and 1, and another from 2. */
export function plural(count: number, one: string, many: string): string {
  return Math.abs(count) < 2 ? one : many;
}
