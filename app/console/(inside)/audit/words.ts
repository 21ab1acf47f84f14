/** Texts of these parts. */

export const PAGE = { title: "Audit log" };

export const AUDIT_LOG = {
  allPeople: "All people",
  allKeys: "All keys",
  serviceItself: "The service itself",
  entry: "entry",
  entries: "entries",
  who: "Who",
  anybody: "Anyone",
  onePerson: "one person",
  action: "Action",
  object: "Object",
  wholeIdTx: "The full id: tx_…, a partner's or a key's",
  objectWithId: (id: string) => `object ${id}`,
  fromUtc: "From (UTC)",
  included: "To (inclusive)",
  auditLog: "Audit log",
  auditLogNewest: "Audit log, newest first",
  nothingRecordedWith: (held: string) => `Nothing was recorded with ${held}.`,
  nothingRecordedYet: "Nothing was recorded yet",
};

export const CHAIN_LINE = {
  verified: (seq: string) => `Verified to ${seq}`,
  auditLogNot: "The audit log fails verification",
  chainSeals: "Chain of seals",
  sealedNotVerified: (seq: string) => `Sealed to ${seq}; not verified yet.`,
  flawsFoundUp: (flaws: number, seq: string) => `${flaws} flaws found up to ${seq}`,
  by: (by: string) => ` by ${by}`,
  sealed: (seq: string) => `· sealed to ${seq}`,
  seal: (unsealed: number) => `· ${unsealed === 1 ? "1 entry waits" : `${unsealed} entries wait`} for a seal`,
  verifyNow: "Verify now",
  flaws: "Flaws",
  entryId: "entry id",
};
