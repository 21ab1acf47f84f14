import type { Answers } from "#server/console/router.ts";

/** A settlement that waits for a decision, with the present result of an approval. */
export type Awaiting = Answers["approvals"]["list"]["data"][number];
export type Preview = Answers["approvals"]["preview"];
/** The risk hints. */
export type Hint = Answers["approvals"]["risk"]["data"][number]["hints"][number];
/** The amounts before a settlement, and what is known of its wallet. */
export type PastAnswer = Answers["approvals"]["past"];
/** The outcome of one of many. */
export type BulkOutcome = Answers["approvals"]["approveMany"]["data"][number];
/** The user's own decisions, with the present state of each settlement. */
export type Decided = Answers["approvals"]["decided"]["data"][number];
/** A settlement in a list. */
export type Row = Answers["approvals"]["lapsed"]["data"][number];
/** A batch that waits for a decision, with what its sums come to now. */
export type WaitingBatch = Answers["approvals"]["batches"]["data"][number];
