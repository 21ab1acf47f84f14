import { Clock, Hourglass, type LucideIcon, Siren } from "lucide-react";
import { type Promptness, promptnessOf } from "#domain/approval.ts";
import { useNow } from "../../_components/controls/clock.tsx";
import { useZone } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import { WAITING } from "./words.ts";

type Translations = typeof WAITING;

const translationsOf = (t: Translations): Record<Promptness, { more: string; icon: LucideIcon; tone: string }> => ({
  in_time: { more: "", icon: Clock, tone: "plain" },
  due: { more: t.due, icon: Hourglass, tone: "pending" },
  late: { more: t.late, icon: Siren, tone: "failed" },
});

/** The waiting time, and whether it is still within the promised one. */
export function Waiting({ since }: { since: string }) {
  const t = useTranslations(WAITING);
  const zone = useZone();
  const waited = Math.max(0, useNow(5_000) - new Date(since).getTime());
  const { more, icon: Icon, tone } = translationsOf(t)[promptnessOf(waited)];
  return (
    <span className="badge" data-tone={tone}>
      <Icon aria-hidden size={13} />
      <time dateTime={since} title={t.format.absolute(since, zone)}>
        {t.format.span(waited)}
      </time>
      <span>
        {t.waiting}
        <span className="sr-only">{more}</span>
      </span>
    </span>
  );
}
