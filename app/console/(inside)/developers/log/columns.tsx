import { Check, CircleAlert, X } from "lucide-react";
import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { Id } from "../../../_components/controls/id.tsx";
import { Badge } from "../../../_components/controls/status-badge.tsx";
import { Time } from "../../../_components/controls/time.tsx";
import type { Column } from "../../../_components/lists/table.tsx";

export const addressOf = (requestId: string) => `/console/developers/log/${requestId}`;

type Request = Answers["apiLog"]["list"]["data"][number];

/** The status in a sign, a colour and the number itself. */
export function StatusOf({ request: { status, code } }: { request: Pick<Request, "status" | "code"> }) {
  const kind =
    status < 400 ? { icon: Check, tone: "executed" } : status < 500 ? { icon: CircleAlert, tone: "pending" } : { icon: X, tone: "failed" };
  return <Badge word={String(status)} {...kind} {...(code && { detail: code })} />;
}

/** Whose request it was: a key, or of the console's own calls a person. */
export function Caller({ request: { key, person } }: { request: Pick<Request, "key" | "person"> }) {
  if (key === null) return <span className="muted">{person ?? "Console"}, in the console</span>;
  return (
    <span className="short" title={`${key.name} (…${key.last_four})`}>
      {key.name} <span className="muted">…{key.last_four}</span>
    </span>
  );
}

export function columnsFor(isOperator: boolean): Column<Request>[] {
  return [
    { id: "at", header: "Time", pinned: true, cell: ({ at }) => <Time at={at} form="absolute" /> },
    { id: "what", header: "Request", cell: (request) => <Target request={request} /> },
    { id: "status", header: "Status", cell: (request) => <StatusOf request={request} /> },
    { id: "took", header: "Took", align: "end", cell: ({ duration_ms }) => `${duration_ms.toFixed(1)} ms` },
    ...(isOperator ? [{ id: "partner", header: "Partner", cell: ({ partner }: Request) => partner?.name ?? "Operator" }] : []),
    { id: "key", header: "Key", cell: (request) => <Caller request={request} /> },
    { id: "id", header: "Request id", cell: ({ request_id }) => <Id value={request_id} what="request id" /> },
    { id: "address", header: "Address", cell: ({ address }) => address },
  ];
}

function Target({ request: { request_id, method, path, query, replayed } }: { request: Request }) {
  return (
    <span className="target" title={query === "" ? path : `${path}?${query}`}>
      <Link href={addressOf(request_id)} className="target-link">
        <b>{method}</b> <code>{path}</code>
      </Link>
      {query !== "" && <span className="muted">?…</span>}
      {replayed && <span className="muted"> replayed</span>}
    </span>
  );
}

/** A row on a phone. */
export function Card({ request, isOperator }: { request: Request; isOperator: boolean }) {
  return (
    <>
      <div className="card-line">
        <StatusOf request={request} />
        <Id value={request.request_id} what="request id" href={addressOf(request.request_id)} copy={false} />
      </div>
      <div className="card-line">
        <Target request={request} />
      </div>
      <div className="card-line muted">
        <Time at={request.at} form="absolute" />
        <span>{isOperator ? (request.partner?.name ?? "Operator") : `${request.duration_ms.toFixed(1)} ms`}</span>
      </div>
    </>
  );
}
