"use client";

import { useQuery } from "@tanstack/react-query";
import { signedCurl } from "#contract/signed-curl.ts";
import type { Answers } from "#server/console/router.ts";
import { CodeBlock } from "../../../../_components/controls/code-block.tsx";
import { Id, KeyValues, Time } from "../../../../_components/controls/values.tsx";
import { PageHeader, Section } from "../../../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../../_trpc/client.tsx";
import { Data, Trans, useTranslations } from "../../../../_words/words.ts";
import { Caller, StatusOf } from "../columns.tsx";
import { Debugger } from "./debugger.tsx";
import { REQUEST_PAGE } from "./words.ts";

type Request = Answers["apiLog"]["byId"];

/** One logged request: the request, the answer, and why a signature was refused. */
export function RequestPage({ requestId }: { requestId: string }) {
  const t = useTranslations(REQUEST_PAGE);
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.apiLog.byId.queryOptions({ request_id: requestId }));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  return (
    <>
      <PageHeader
        within={{ href: "/console/developers/log", label: t.apiLog }}
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
        <Section title={t.signature}>
          <p className="muted">
            <Trans sentence={t.dataExpired(data.body_days)} link={<a href="/docs/signature-debugger">{t.offline}</a>} />
          </p>
        </Section>
      )}
      {data.key !== null && (
        <Section title={t.asCurl}>
          <CodeBlock label="cURL" text={curlOf(data)} />
        </Section>
      )}
    </>
  );
}

function Facts({ request }: { request: Request }) {
  const t = useTranslations(REQUEST_PAGE);
  const { query, tx_id: txId, code, replayed, partner } = request;
  return (
    <Section title={t.request}>
      <KeyValues
        items={[
          { key: t.requestId, value: <Id value={request.request_id} what={t.requestIdNoun} full /> },
          { key: t.answered, value: <Time at={request.at} form="absolute" /> },
          { key: t.took, value: t.ms(request.duration_ms.toFixed(1)) },
          { key: t.by, value: <Caller request={request} /> },
          partner !== null && { key: t.partner, value: <Data>{partner.name}</Data> },
          { key: t.from, value: <Data>{request.address}</Data> },
          { key: t.operation, value: request.operation === "unknown" ? t.noRoute : <Data>{request.operation}</Data> },
          query !== "" && { key: t.query, value: <code translate="no">{query}</code> },
          txId !== null && {
            key: t.settlement,
            value: <Id value={txId} what={t.settlementNoun} href={`/console/settlements/${txId}`} />,
          },
          code !== null && {
            key: t.error,
            value: (
              <a href={`/docs/errors/${code}`}>
                <code translate="no">{code}</code>
              </a>
            ),
          },
          replayed && { key: t.idempotency, value: t.replayed },
          {
            key: t.kept,
            value: request.explainable ? t.keptDaysAndBody(request.log_days, request.body_days) : t.keptDays(request.log_days),
          },
        ]}
      />
    </Section>
  );
}

/** Secret and body are variables, because neither is stored. */
function curlOf({ method, path, query, base_url: baseUrl, brand }: Request): string {
  const writes = method !== "GET" && method !== "HEAD";
  return signedCurl({ baseUrl, brand, method, path, query, ...(writes && { body: { file: "body.json" } }) });
}
