import { CallbackCard } from "../../callbacks/callback-view.tsx";
import type { Story } from "./story.ts";

/** What was told to the partner, by which attempts; and why nothing is, where nothing is. */
export function CallbacksPart({ story, mayResend }: { story: Story; mayResend: boolean }) {
  const { callback_list: callbacks } = story;
  if (callbacks.length === 0) return <p className="muted">{whyNone(story)}</p>;
  return callbacks.map((callback) => <CallbackCard key={callback.id} callback={callback} mayResend={mayResend} />);
}

function whyNone({ settlement, creation_callback_url: creationUrl }: Story): string {
  if (settlement.status === "cancelled") return "None: cancelling and rejecting send no callback.";
  if (settlement.status === "quoted" && settlement.approval_state !== null && creationUrl === null)
    return "No callback address was given at creation: the partner has to ask whether the settlement was approved.";
  return "None yet.";
}
