import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations } from "../../_words/words.ts";
import { actorOf, decisionOf } from "../settlements/[tx_id]/story.ts";
import { STORY } from "../settlements/[tx_id]/words.ts";
import { DECIDED_ALREADY } from "./words.ts";

type Props = {
  txId: string;
  /** What somebody had typed meanwhile, to be copied. */
  typed?: string;
  /** In a list: takes no focus from what somebody is typing elsewhere. */
  quiet?: boolean;
  onClose?: () => void;
};

/** Somebody else was faster: who, when, and what, in place of an error. */
export function DecidedAlready({ txId, typed = "", quiet = false, onClose }: Props) {
  const t = useTranslations(DECIDED_ALREADY);
  const actors = useTranslations(STORY);
  const trpc = useTRPC();
  const { data } = useQuery(trpc.settlements.byId.queryOptions({ tx_id: txId }, { staleTime: 0 }));
  const said = useRef<HTMLParagraphElement>(null);
  const isRead = data !== undefined;
  // Takes the place of the button that disappeared.
  useEffect(() => {
    if (isRead && !quiet) said.current?.focus();
  }, [isRead, quiet]);
  if (data === undefined) return <Skeleton rows={1} />;
  const decision = decisionOf(data);
  return (
    <>
      <p ref={said} {...(!quiet && { tabIndex: -1 })} className="note" role={quiet ? "status" : "alert"}>
        {decision === null ? (
          t.noLongerAwaits(data.settlement.status)
        ) : (
          <Trans
            sentence={t.alreadyBy(decision.action === "settlement.approved", actorOf(decision, actors))}
            time={<Time at={decision.at} />}
          />
        )}
      </p>
      {typed !== "" && (
        <p className="typed-before">
          <span className="muted small">{t.yourNote}</span> <Data>{typed}</Data>
          <CopyButton text={typed} label={t.copyYourNote} />
        </p>
      )}
      {onClose && (
        <p className="foot-decide">
          <Button onClick={onClose}>{t.close}</Button>
        </p>
      )}
    </>
  );
}
