/** Fingerprints of a variable, separated by commas, as a command prints them. Left out: none. */
export function readFingerprints(
  text: string | undefined,
  { name, command }: { name: string; command: string },
  report: (problem: string) => void,
): ReadonlySet<string> {
  const named = (text ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  if (named.some((item) => !/^[A-Za-z0-9_-]{43}$/.test(item)))
    report(`${name} must be fingerprints as \`npm run ${command}\` prints them, separated by commas.`);
  return new Set(named);
}
