import { Money } from "#app/console/_components/controls/values.tsx";
import type { Answers } from "#server/console/router.ts";
import { Data, Served, useTranslations } from "../../_words/words.ts";
import { NOTICE } from "./words.ts";

export type Noted = Answers["notifications"]["list"][number];

/** The text of a notification: for a decision its amount, merchant and partner, and who decided it, if anybody has. */
export function Notice({ of: { kind, text, is_read: isRead, subject } }: { of: Noted }) {
  const t = useTranslations(NOTICE);
  return (
    <span className="notice" data-unread={!isRead || undefined}>
      {!isRead && <span className="sr-only">{t.unread} </span>}
      {subject === null || (subject.amount === null && subject.outcome === "open") ? (
        <Served>{text}</Served>
      ) : (
        <>
          <span className="notice-title">
            {subject.outcome === "open" ? t.waits(kind === "second_yes") : t.outcomes[subject.outcome](subject.by)}
          </span>{" "}
          {subject.amount === null || subject.currency === null ? (
            <Served>{text}</Served>
          ) : (
            <span>
              <Money amount={subject.amount} currency={subject.currency} />{" "}
              <span className="notice-who">
                <Data>
                  {subject.merchant} · {subject.partner}
                </Data>
              </span>
            </span>
          )}
        </>
      )}
    </span>
  );
}
