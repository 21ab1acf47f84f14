import { useQuery } from "@tanstack/react-query";
import { Check, CircleHelp, X } from "lucide-react";
import { Comparison } from "../../../../../_signature/comparison.tsx";
import { ComponentsTable } from "../../../../../_signature/components-table.tsx";
import { Verdict } from "../../../../../_signature/verdict.tsx";
import { Section } from "../../../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";

const SIGNS = {
  passed: { icon: Check, word: "Passed" },
  failed: { icon: X, word: "Failed" },
  unknown: { icon: CircleHelp, word: "Not judged" },
};

/** Why the request was not accepted as signed, and what its signature was made with. Neither a secret nor the right signature is here. */
export function Debugger({ requestId }: { requestId: string }) {
  const trpc = useTRPC();
  const still = { staleTime: Number.POSITIVE_INFINITY, meta: { still: true } };
  const { data, error, isPending, refetch } = useQuery(trpc.apiLog.explain.queryOptions({ request_id: requestId }, still));
  if (isPending) return <Skeleton rows={6} label="Trying known mistakes" />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} />;
  const { components } = data;
  const wanted = [components.timestamp, components.method.toUpperCase(), components.path, components.query, components.body].join("\n");
  return (
    <>
      <Section title="Signature">
        <Verdict verdict={data.verdict} />
        <ul className="sig-checks">
          {data.checks.map(({ name, outcome, sentence }) => {
            const { icon: Icon, word } = SIGNS[outcome];
            return (
              <li key={name} data-outcome={outcome} data-check={name}>
                <Icon size={16} aria-hidden />
                <span>
                  <span className="sr-only">{word}: </span>
                  {sentence}
                </span>
              </li>
            );
          })}
        </ul>
      </Section>
      <Section title="What the server read">
        <ComponentsTable
          components={components}
          lengths={data.lengths}
          bodySha256={data.body_sha256}
          signingStringSha256={data.signing_string_sha256}
          bodyIsUtf8={data.body_is_utf8}
        />
        {data.received_signature.length > 0 && (
          <p className="small muted">
            The signature that came: <code>{data.received_signature.begins}…</code>, {data.received_signature.length} characters
          </p>
        )}
      </Section>
      <Section title="Compare with yours">
        <Comparison wanted={wanted} />
      </Section>
    </>
  );
}
