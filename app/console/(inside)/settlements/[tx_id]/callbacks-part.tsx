import { useTranslations } from "../../../_words/words.ts";
import { CallbackCard } from "../../callbacks/callback-view.tsx";
import type { Story } from "./story.ts";
import { CALLBACKS_PART } from "./words.ts";

type Translations = typeof CALLBACKS_PART;

/** The settlement's callbacks and their attempts; or why there are none. */
export function CallbacksPart({ story, mayResend }: { story: Story; mayResend: boolean }) {
  const t = useTranslations(CALLBACKS_PART);
  const { callback_list: callbacks } = story;
  if (callbacks.length === 0) return <p className="muted">{whyNone(story, t)}</p>;
  return callbacks.map((callback) => <CallbackCard key={callback.id} callback={callback} mayResend={mayResend} />);
}

function whyNone({ settlement, creation_callback_url: creationUrl }: Story, t: Translations): string {
  if (settlement.status === "cancelled") return t.noneSent;
  if (settlement.status === "quoted" && settlement.approval_state !== null && creationUrl === null) return t.partnerMustPoll;
  return t.noneYet;
}
