/** Texts of the decision on batches. */

export const BATCHES_TAB = {
  none: "No batch waits",
  whatComesHere:
    "A batch comes here when one of its items is above its pair's maximum, or all of them together are above the pair's batch maximum.",
  caption: "Batches awaiting approval",
  itemCount: (count: number) => `${count} ${count === 1 ? "item" : "items"}`,
  given: (given: number, needed: number) => `${given} of ${needed} ${needed === 1 ? "approval" : "approvals"}`,
};

export const BATCH_PANEL = {
  label: "The chosen batch",
  backToList: "Back to the list",
  about: (count: number, given: number, needed: number) =>
    `${count} ${count === 1 ? "settlement" : "settlements"}. ${given} of ${needed} ${needed === 1 ? "approval" : "approvals"} given.`,
  items: "Items of the batch",
  checking: (known: number, count: number) => `Checking for anything unusual: ${known} of ${count}…`,
  nothingUnusual: "Nothing unusual was found.",
  kindOf: (hint: string, count: number) => `${hint}: ${count} ${count === 1 ? "item" : "items"}`,
  closeDecision: "Close the open decision",
  toAcknowledge: (count: number) => `Acknowledge ${count === 1 ? "the warning" : `${count} warnings`} to approve`,
  approves: "Approves all items at the present price. It moves no funds: the partner must confirm the batch.",
  rejects: "Cancels the batch with all of its items. No callback is sent.",
  isDecided: "It no longer waits: somebody else has decided it, or the partner has cancelled it.",
  waitsForOthers: "You have approved it. Another person must approve it, too.",
  reasonHint: (least: number) => `The partner reads it; at least ${least} characters.`,
  note: "Note (optional)",
  typeReference: (reference: string) => `Type ${reference} to confirm`,
  approveAll: (count: number) => `Approve all ${count}`,
  rejectAll: (count: number) => `Reject all ${count}`,
  approved: "Batch approved",
  rejected: "Batch rejected",
  notDecided: "Not decided",
};
