import { useQuery } from "@tanstack/react-query";
import { Check, CircleHelp, X } from "lucide-react";
import { Comparison } from "../../../../../_signature/comparison.tsx";
import { ComponentsTable } from "../../../../../_signature/components-table.tsx";
import { Verdict } from "../../../../../_signature/verdict.tsx";
import { SIGNATURE } from "../../../../../_signature/words.ts";
import { Section } from "../../../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../../../_words/words.ts";
import { DEBUGGER } from "./words.ts";

const SIGNS = {
  passed: Check,
  failed: X,
  unknown: CircleHelp,
};

/** Why the signature was not accepted, and from what it was made. Contains neither a secret nor the right signature. */
export function Debugger({ requestId }: { requestId: string }) {
  const t = useTranslations(DEBUGGER);
  const parts = useTranslations(SIGNATURE);
  const trpc = useTRPC();
  const still = { staleTime: Number.POSITIVE_INFINITY, meta: { still: true } };
  const { data, error, isPending, refetch } = useQuery(trpc.apiLog.explain.queryOptions({ request_id: requestId }, still));
  if (isPending) return <Skeleton rows={6} label={t.trying} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const { components } = data;
  const wanted = [components.timestamp, components.method.toUpperCase(), components.path, components.query, components.body].join("\n");
  return (
    <>
      <Section title={t.signature}>
        <Verdict verdict={data.verdict} />
        <ul className="sig-checks">
          {data.checks.map(({ name, outcome, sentence }) => {
            const Icon = SIGNS[outcome];
            return (
              <li key={name} data-outcome={outcome} data-check={name}>
                <Icon size={16} aria-hidden />
                <span>
                  <span className="sr-only">{t.outcomes[outcome]}: </span>
                  <span lang="en">{sentence}</span>
                </span>
              </li>
            );
          })}
        </ul>
      </Section>
      <Section title={t.serverRead}>
        <ComponentsTable
          t={parts}
          components={components}
          lengths={data.lengths}
          bodySha256={data.body_sha256}
          signingStringSha256={data.signing_string_sha256}
          bodyIsUtf8={data.body_is_utf8}
        />
        {data.received_signature.length > 0 && (
          <p className="small muted">
            <Trans
              sentence={t.received(data.received_signature.length)}
              begins={<code translate="no">{data.received_signature.begins}…</code>}
            />
          </p>
        )}
      </Section>
      <Section title={t.compareYours}>
        <Comparison wanted={wanted} t={parts} />
      </Section>
    </>
  );
}
