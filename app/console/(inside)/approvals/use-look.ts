import { absolute } from "../../_format/time.ts";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { patience } from "../../_trpc/deadline.ts";
import { actorOf, decisionOf, type Story } from "../settlements/[tx_id]/story.ts";

/** What was not answered in time is looked at for so long; then a button does it again. */
const LOOK_MS = 2_500;

/** After a decision without an answer: reads the settlements anew and says in a sentence what stands there. */
export function useLookAtDecision(): (txIds: readonly string[]) => Promise<string> {
  const client = useTRPCClient();
  return async (txIds) => {
    // Not by the cache: what the page is reading already may hang.
    const read = (txId: string) => client.settlements.byId.query({ tx_id: txId }, { context: patience(LOOK_MS) });
    const stories = await Promise.all(txIds.map(read));
    const [only] = stories;
    if (stories.length === 1 && only) return foundOf(only);
    const waiting = stories.filter(isWaiting).length;
    return `${stories.length - waiting} of ${stories.length} are decided, ${waiting} still await a decision.`;
  };
}

function isWaiting({ settlement }: Story): boolean {
  return settlement.status === "quoted" && settlement.approval_state === "pending";
}

function foundOf(story: Story): string {
  const first = story.history.findLast(({ action }) => action === "settlement.approval_recorded");
  if (isWaiting(story) && first) return `one of two approvals is recorded, by ${actorOf(first)}, ${absolute(first.at, "utc")}.`;
  if (isWaiting(story)) return "it still awaits a decision. What was sent is not done later: press again if you still want it.";
  const decision = decisionOf(story);
  if (decision === null) return `it no longer awaits a decision: it is ${story.settlement.status}.`;
  const word = decision.action === "settlement.approved" ? "approved" : "rejected";
  return `it is ${word}, by ${actorOf(decision)}, ${absolute(decision.at, "utc")}.`;
}
