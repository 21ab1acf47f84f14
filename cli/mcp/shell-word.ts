/** One word of a shell, with any content. */
export function shellWord(value: string): string {
  return /^[\w.:/-]+$/.test(value) && !value.startsWith("-") ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
