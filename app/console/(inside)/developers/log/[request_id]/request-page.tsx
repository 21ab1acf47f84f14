"use client";

import { useQuery } from "@tanstack/react-query";
import { signedCurl } from "#contract/signed-curl.ts";
import type { Answers } from "#server/console/router.ts";
import { CodeBlock } from "../../../../_components/controls/code-block.tsx";
import { Id, KeyValues, Time } from "../../../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../../../_components/frame/page-parts.tsx";
import { Skeleton, Trouble } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";
import { Data, Told } from "../../../../_words/told.tsx";
import { useWords } from "../../../../_words/words.ts";
import { Caller, StatusOf } from "../columns.tsx";
import { Debugger } from "./debugger.tsx";
import { REQUEST_PAGE } from "./words.ts";

type Request = Answers["apiLog"]["byId"];

/** One request as it is kept: what was asked, how it was answered, and why a signature was refused. */
export function RequestPage({ requestId }: { requestId: string }) {
  const says = useWords(REQUEST_PAGE);
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.apiLog.byId.queryOptions({ request_id: requestId }));
  if (error && !data) return <Trouble error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  return (
    <>
      <PageHeader
        within={{ href: "/console/developers/log", label: says.apiLog }}
        title={
          <span className="request-title" translate="no">
            {data.method} <code>{data.path}</code>
          </span>
        }
      >
        <StatusOf request={data} />
      </PageHeader>
      <Facts request={data} />
      {data.explainable && <Debugger requestId={requestId} />}
      {data.was_explainable && !data.explainable && (
        <Section title={says.signature}>
          <p className="muted">
            <Told sentence={says.gone(data.body_days)} link={<a href="/docs/signature-debugger">{says.offline}</a>} />
          </p>
        </Section>
      )}
      {data.key !== null && (
        <Section title={says.asCurl}>
          <CodeBlock label="cURL" text={curlOf(data)} />
        </Section>
      )}
    </>
  );
}

function Facts({ request }: { request: Request }) {
  const says = useWords(REQUEST_PAGE);
  const { query, tx_id: txId, code, replayed, partner } = request;
  return (
    <Section title={says.request}>
      <KeyValues
        items={[
          { key: says.requestId, value: <Id value={request.request_id} what={says.theRequestId} full /> },
          { key: says.answered, value: <Time at={request.at} form="absolute" /> },
          { key: says.took, value: says.ms(request.duration_ms.toFixed(1)) },
          { key: says.by, value: <Caller request={request} /> },
          partner !== null && { key: says.partner, value: <Data>{partner.name}</Data> },
          { key: says.from, value: <Data>{request.address}</Data> },
          { key: says.operation, value: request.operation === "unknown" ? says.noRoute : <Data>{request.operation}</Data> },
          query !== "" && { key: says.query, value: <code translate="no">{query}</code> },
          txId !== null && {
            key: says.settlement,
            value: <Id value={txId} what={says.theSettlement} href={`/console/settlements/${txId}`} />,
          },
          code !== null && {
            key: says.error,
            value: (
              <a href={`/docs/errors/${code}`}>
                <code translate="no">{code}</code>
              </a>
            ),
          },
          replayed && { key: says.idempotency, value: says.replayed },
          {
            key: says.kept,
            value: request.explainable ? says.daysAndBody(request.log_days, request.body_days) : says.days(request.log_days),
          },
        ]}
      />
    </Section>
  );
}

/** With the secret and the body as variables: neither is kept. */
function curlOf({ method, path, query, base_url: baseUrl, brand }: Request): string {
  const writes = method !== "GET" && method !== "HEAD";
  return signedCurl({ baseUrl, brand, method, path, query, ...(writes && { body: { file: "body.json" } }) });
}
