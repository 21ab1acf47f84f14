/** Texts of the decision on batches. */

export const BATCHES_TAB = {
  none: "No batch waits",
  whatComesHere:
    "A batch comes here when one of its items is above its pair's maximum, or all of them together are above the pair's batch maximum.",
  caption: "Batches awaiting approval",
  batch: "Batch",
  items: "Items",
  itemCount: (count: number) => `${count} items`,
  totals: "Total",
  waits: "Waiting",
  approvals: "Approvals",
  given: (given: number, needed: number) => `${given} of ${needed}`,
  review: "Review…",
};

export const BATCH_DIALOG = {
  title: (reference: string) => `Batch ${reference}`,
  about: (count: number, partner: string, given: number, needed: number) =>
    `${count} settlements of ${partner}. ${given} of ${needed} ${needed === 1 ? "approval" : "approvals"} given.`,
  items: "Items of the batch",
  checking: (known: number, count: number) => `Checking for anything unusual: ${known} of ${count}…`,
  standOut: (count: number) =>
    count === 0 ? "Nothing unusual was found." : `${count} ${count === 1 ? "item has" : "items have"} warnings. They come first.`,
  approves: "Approves all items at the present price. It moves no funds: the partner must confirm the batch.",
  rejects: "Cancels the batch with all of its items. No callback is sent.",
  isDecided: "It no longer waits: somebody else has decided it, or the partner has cancelled it.",
  waitsForOthers: "You have approved it. Another person must approve it, too.",
  reasonHint: (least: number) => `The partner reads it; at least ${least} characters.`,
  note: "Note (optional)",
  typeReference: (reference: string) => `Type ${reference} to confirm`,
  rejectInstead: "Reject instead…",
  approve: (count: number) => `Approve all ${count}`,
  reject: (count: number) => `Reject all ${count}`,
  approved: "Batch approved",
  rejected: "Batch rejected",
  notDecided: "Not decided",
};
