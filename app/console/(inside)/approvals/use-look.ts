import { useTRPCClient } from "../../_trpc/client.tsx";
import { patience } from "../../_trpc/deadline.ts";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { actorOf, decisionOf, type Story } from "../settlements/[tx_id]/story.ts";
import { STORY } from "../settlements/[tx_id]/words.ts";
import { DECISION_STATE } from "./words.ts";

const WORDS = { ...DECISION_STATE, ...STORY };
type Translations = WithShared<typeof WORDS>;

/** How long to poll for the outcome of a decision without an answer. After that, a button repeats it. */
const LOOK_MS = 2_500;

/** After a decision without an answer: reads the settlements again and reports their state. */
export function useLookAtDecision(): (txIds: readonly string[]) => Promise<string> {
  const t = useTranslations(WORDS);
  const client = useTRPCClient();
  return async (txIds) => {
    // Bypasses the cache: the page's own query may hang.
    const read = (txId: string) => client.settlements.byId.query({ tx_id: txId }, { context: patience(LOOK_MS) });
    const stories = await Promise.all(txIds.map(read));
    const [only] = stories;
    if (stories.length === 1 && only) return foundOf(only, t);
    const waiting = stories.filter(isWaiting).length;
    return t.decidedOf(stories.length, waiting);
  };
}

function isWaiting({ settlement }: Story): boolean {
  return settlement.status === "quoted" && settlement.approval_state === "pending";
}

function foundOf(story: Story, t: Translations): string {
  const first = story.history.findLast(({ action }) => action === "settlement.approval_recorded");
  if (isWaiting(story) && first) return t.firstOfTwo(actorOf(first, t), t.format.absolute(first.at, "utc"));
  if (isWaiting(story)) return t.stillAwaits;
  const decision = decisionOf(story);
  if (decision === null) return t.noLongerAwaits(story.settlement.status);
  return t.decidedBy(decision.action === "settlement.approved", actorOf(decision, t), t.format.absolute(decision.at, "utc"));
}
