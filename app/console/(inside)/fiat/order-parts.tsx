import { useTranslations } from "../../_words/words.ts";
import { CallbackCard } from "../callbacks/callback-view.tsx";
import type { WithdrawalStory } from "./story.ts";
import { ORDER_PARTS } from "./story-words.ts";

type Translations = typeof ORDER_PARTS;

type CallbacksProps = { callbacks: WithdrawalStory["callback_list"]; url: string | null; mayResend: boolean };

/** The order's callbacks and their attempts; or why there are none. */
export function OrderCallbacks({ callbacks, url, mayResend }: CallbacksProps) {
  const t = useTranslations(ORDER_PARTS);
  if (url === null) return <p className="muted">{t.partnerMustPoll}</p>;
  if (callbacks.length === 0) return <p className="muted">{t.oneCallback(url)}</p>;
  return callbacks.map((callback) => <CallbackCard key={callback.id} callback={callback} mayResend={mayResend} />);
}

export const accountWords = (type: string, t: Translations): string => t[type === "mobile_money" ? "mobile_money" : "bank_account"];

type MemberWire = NonNullable<WithdrawalStory["member"]>;

export function memberText({ name, external_user_id }: MemberWire): string {
  return name === null ? external_user_id : `${name} (${external_user_id})`;
}
