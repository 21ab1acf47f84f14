import { useQuery } from "@tanstack/react-query";
import { Check, CircleHelp, X } from "lucide-react";
import { Comparison } from "../../../../../_signature/comparison.tsx";
import { ComponentsTable } from "../../../../../_signature/components-table.tsx";
import { Verdict } from "../../../../../_signature/verdict.tsx";
import { SIGNATURE } from "../../../../../_signature/words.ts";
import { Section } from "../../../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";
import { Told } from "../../../../_words/told.tsx";
import { useWords } from "../../../../_words/words.ts";
import { DEBUGGER } from "./words.ts";

const SIGNS = {
  passed: Check,
  failed: X,
  unknown: CircleHelp,
};

/** Why the request was not accepted as signed, and what its signature was made with. Neither a secret nor the right signature is here. */
export function Debugger({ requestId }: { requestId: string }) {
  const says = useWords(DEBUGGER);
  const parts = useWords(SIGNATURE);
  const trpc = useTRPC();
  const still = { staleTime: Number.POSITIVE_INFINITY, meta: { still: true } };
  const { data, error, isPending, refetch } = useQuery(trpc.apiLog.explain.queryOptions({ request_id: requestId }, still));
  if (isPending) return <Skeleton rows={6} label={says.tryingKnownMistakes} />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} />;
  const { components } = data;
  const wanted = [components.timestamp, components.method.toUpperCase(), components.path, components.query, components.body].join("\n");
  return (
    <>
      <Section title={says.signature}>
        <Verdict verdict={data.verdict} />
        <ul className="sig-checks">
          {data.checks.map(({ name, outcome, sentence }) => {
            const Icon = SIGNS[outcome];
            return (
              <li key={name} data-outcome={outcome} data-check={name}>
                <Icon size={16} aria-hidden />
                <span>
                  <span className="sr-only">{says.outcomes[outcome]}: </span>
                  <span lang="en">{sentence}</span>
                </span>
              </li>
            );
          })}
        </ul>
      </Section>
      <Section title={says.serverRead}>
        <ComponentsTable
          says={parts}
          components={components}
          lengths={data.lengths}
          bodySha256={data.body_sha256}
          signingStringSha256={data.signing_string_sha256}
          bodyIsUtf8={data.body_is_utf8}
        />
        {data.received_signature.length > 0 && (
          <p className="small muted">
            <Told
              sentence={says.came(data.received_signature.length)}
              begins={<code translate="no">{data.received_signature.begins}…</code>}
            />
          </p>
        )}
      </Section>
      <Section title={says.compareYours}>
        <Comparison wanted={wanted} says={parts} />
      </Section>
    </>
  );
}
