/** Fingerprints of rules, separated by commas, as `npm run unsigned-rules` prints them. Left out: none. */
export function readAcceptedRules(text: string | undefined, report: (problem: string) => void): ReadonlySet<string> {
  const named = (text ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  if (named.some((item) => !/^[A-Za-z0-9_-]{43}$/.test(item)))
    report("ACCEPTED_RULES must be fingerprints as `npm run unsigned-rules` prints them, separated by commas.");
  return new Set(named);
}
