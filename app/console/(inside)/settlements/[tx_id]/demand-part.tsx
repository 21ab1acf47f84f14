import { useQuery } from "@tanstack/react-query";
import { KeyValues } from "../../../_components/controls/values.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { DEMAND, HINTS } from "../../policy/demand-words.ts";
import { RuleSentence } from "../../policy/rule-sentence.tsx";

/** The approval policy's rule that it waits or waited for, from the version of its quote. Only for operators. */
export function DemandPart({ txId }: { txId: string }) {
  const [t, hints] = [useTranslations(DEMAND), useTranslations(HINTS)];
  const { data: demand } = useQuery(useTRPC().approvalPolicy.demand.queryOptions({ tx_id: txId }));
  if (demand === undefined || demand === null) return null;
  return (
    <Section title={t.title}>
      <KeyValues
        items={[
          { key: t.approvalPolicy, value: <RuleSentence rule={demand.rule} /> },
          { key: t.by, value: t.rule(demand.rule.id, demand.version) },
          demand.hints.length > 0 && { key: t.foundAtQuote, value: demand.hints.map((hint) => hints[hint]).join("; ") },
        ]}
      />
    </Section>
  );
}
