import type { Answers } from "#server/console/router.ts";

/** What awaits a decision, with what approving it would do now. */
export type Awaiting = Answers["approvals"]["list"]["data"][number];
export type Preview = Answers["approvals"]["preview"];
/** Why one might look twice. */
export type Hint = Answers["approvals"]["risk"]["data"][number]["hints"][number];
/** The outcome of one of many. */
export type BulkOutcome = Answers["approvals"]["approveMany"]["data"][number];
/** The user's own decisions, with the present state of each settlement. */
export type Decided = Answers["approvals"]["decided"]["data"][number];
/** A settlement as every list shows it. */
export type Row = Answers["approvals"]["lapsed"]["data"][number];
