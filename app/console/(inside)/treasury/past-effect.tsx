import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import type { Answers } from "#server/console/router.ts";
import { Money } from "../../_components/controls/values.tsx";
import { Note } from "../../_components/frame/page-parts.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { PAST_EFFECT } from "./effect-words.ts";

type Effect = Answers["exposure"]["tryHalt"]["effect"];

/** What a halt of this scope would have stopped in the last 30 days. */
export function HaltEffect({ kind, scope }: { kind: "wallet" | "chain" | "pair" | "partner" | "all"; scope: string }) {
  const { data } = useQuery(useTRPC().exposure.tryHalt.queryOptions({ lane_kind: kind, lane_key: scope }));
  return <PastEffect answer={data} />;
}

/** The same of a proposal, for the person who confirms it. */
export function ProposalEffect({ id }: { id: string }) {
  const { data } = useQuery(useTRPC().exposure.tryProposal.queryOptions({ id }));
  return <PastEffect answer={data} />;
}

/** `answer`: none yet, or none that can be known. */
export function PastEffect({ answer }: { answer: { effect: Effect } | undefined }) {
  const t = useTranslations(PAST_EFFECT);
  if (answer === undefined) return <p className="muted">{t.working}</p>;
  const { effect } = answer;
  if (effect === null) return null;
  const { payments, partners, sums, examined, is_sample: isSample } = effect;
  return (
    <Note {...(payments > 0 && { kind: "warning" as const })}>
      {payments === 0 ? (
        t.none
      ) : (
        <Trans
          sentence={t.some(payments, partners)}
          sums={sums.map(({ currency, amount }, place) => (
            <Fragment key={currency}>
              {place > 0 && ", "}
              <Money amount={amount} currency={currency} />
            </Fragment>
          ))}
        />
      )}{" "}
      {isSample && t.sample(examined)}
    </Note>
  );
}
