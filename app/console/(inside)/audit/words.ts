/** Texts of these parts. */

export const PAGE = { title: "Audit log" };

export const AUDIT_LOG = {
  allPeople: "All people",
  allKeys: "All keys",
  service: "The service itself",
  entry: "entry",
  entries: "entries",
  anyone: "Anyone",
  onePerson: "one person",
  objectHint: "The full id: tx_…, a partner's or a key's",
  objectWithId: (id: string) => `object ${id}`,
  title: "Audit log",
  caption: "Audit log, newest first",
  noMatch: (held: string) => `No entry matches: ${held}.`,
  none: "Nothing was recorded yet",
};

export const CHAIN_LINE = {
  verified: (seq: string) => `Verified to ${seq}`,
  fails: "The audit log fails verification",
  chainSeals: "Chain of seals",
  notVerified: (seq: string) => `Sealed to ${seq}; not verified yet.`,
  flawsFound: (flaws: number, seq: string) => `${flaws} ${flaws === 1 ? "flaw" : "flaws"} found up to ${seq}`,
  verifiedBy: (by: string) => ` by ${by}`,
  notYet: (count: string) => `${count} newer ${count === "1" ? "entry has" : "entries have"} a seal that is not verified yet.`,
  waitForSeal: (unsealed: number) => `· ${unsealed === 1 ? "1 entry waits" : `${unsealed} entries wait`} for a seal`,
  verifyNow: "Verify now",
  entries: "entries",
  flaws: "Flaws",
};
