import { CallbackCard } from "../callbacks/callback-view.tsx";
import type { WithdrawalStory } from "./story.ts";

type CallbacksProps = { callbacks: WithdrawalStory["callback_list"]; url: string | null; mayResend: boolean };

/** What was told to the partner about the order, and how the attempts went; and why nothing is, where nothing is. */
export function OrderCallbacks({ callbacks, url, mayResend }: CallbacksProps) {
  if (url === null) return <p className="muted">No callback address was given: the partner asks for the status.</p>;
  if (callbacks.length === 0) return <p className="muted">One follows at the end, to {url}.</p>;
  return callbacks.map((callback) => <CallbackCard key={callback.id} callback={callback} mayResend={mayResend} />);
}

export const accountWords = (type: string): string => (type === "mobile_money" ? "Mobile money" : "Bank account");

type MemberWire = NonNullable<WithdrawalStory["member"]>;

export function memberText({ name, external_user_id }: MemberWire): string {
  return name === null ? external_user_id : `${name} (${external_user_id})`;
}
