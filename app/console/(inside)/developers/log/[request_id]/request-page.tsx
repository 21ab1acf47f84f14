"use client";

import { useQuery } from "@tanstack/react-query";
import type { Answers } from "#server/console/router.ts";
import { LinkButton } from "../../../../_components/controls/button.tsx";
import { CodeBlock } from "../../../../_components/controls/code-block.tsx";
import { Id, KeyValues, Time } from "../../../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";
import { Caller, StatusOf } from "../columns.tsx";
import { Debugger } from "./debugger.tsx";

type Request = Answers["apiLog"]["byId"];

/** One request as it is kept: what was asked, how it was answered, and why a signature was refused. */
export function RequestPage({ requestId }: { requestId: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.apiLog.byId.queryOptions({ request_id: requestId }));
  if (error && !data) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  return (
    <>
      <PageHeader
        within={{ href: "/console/developers/log", label: "API log" }}
        title={
          <span className="request-title">
            {data.method} <code>{data.path}</code>
          </span>
        }
        actions={<LinkButton href="/console/developers/log">API log</LinkButton>}
      >
        <StatusOf request={data} />
      </PageHeader>
      <Facts request={data} />
      {data.explainable && <Debugger requestId={requestId} />}
      {data.was_explainable && !data.explainable && (
        <Section title="Signature">
          <p className="muted">
            What this needs is no longer kept: {data.body_days} days, and at most 60 of a key’s refused requests a minute. Sign it again, or
            try it in the <a href="/docs/signature-debugger">debugger that works offline</a>.
          </p>
        </Section>
      )}
      {data.key !== null && (
        <Section title="The same request as cURL">
          <CodeBlock label="cURL" text={curlOf(data)} />
        </Section>
      )}
    </>
  );
}

function Facts({ request }: { request: Request }) {
  const { query, tx_id: txId, code, replayed, partner } = request;
  return (
    <Section title="Request">
      <KeyValues
        items={[
          { key: "Request id", value: <Id value={request.request_id} what="request id" full /> },
          { key: "Answered", value: <Time at={request.at} form="absolute" /> },
          { key: "Took", value: `${request.duration_ms.toFixed(1)} ms` },
          { key: "By", value: <Caller request={request} /> },
          partner !== null && { key: "Partner", value: partner.name },
          { key: "From", value: request.address },
          { key: "Operation", value: request.operation === "unknown" ? "None: no route fitted" : request.operation },
          query !== "" && { key: "Query", value: <code>{query}</code> },
          txId !== null && { key: "Settlement", value: <Id value={txId} what="settlement" href={`/console/settlements/${txId}`} /> },
          code !== null && {
            key: "Error",
            value: (
              <a href={`/docs/errors/${code}`}>
                <code>{code}</code>
              </a>
            ),
          },
          replayed && { key: "Idempotency", value: "Replayed: the answer that this Idempotency-Key had kept" },
          {
            key: "Kept",
            value: `${request.log_days} days, without bodies${request.explainable ? `; this refused body for ${request.body_days}` : ""}`,
          },
        ]}
      />
    </Section>
  );
}

/** With the secret and the body as variables: neither is kept. */
function curlOf({ method, path, query, base_url, brand }: Request): string {
  const writes = method !== "GET" && method !== "HEAD";
  return `${writes ? "BODY=$(cat body.json)\n" : ""}TIMESTAMP=$(date +%s)
SIGNATURE=$(printf '%s\\n%s\\n%s\\n%s\\n%s' "$TIMESTAMP" ${method} ${quoted(path)} ${quoted(query)} "${writes ? "$BODY" : ""}" |
  openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/^.*= //')
curl -sS -X ${method} ${quoted(base_url + path + (query === "" ? "" : `?${query}`))} \\
  -H "Authorization: $API_KEY" \\
  -H "X-${brand}-Timestamp: $TIMESTAMP" \\
  -H "X-${brand}-Nonce: $(uuidgen)" \\
  -H "X-${brand}-Signature: $SIGNATURE"${writes ? ` \\\n  -H "Content-Type: application/json" --data-raw "$BODY"` : ""}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
