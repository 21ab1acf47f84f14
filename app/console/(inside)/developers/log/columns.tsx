import { Check, CircleAlert, X } from "lucide-react";
import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { Badge, Id, Time } from "../../../_components/controls/values.tsx";
import { type Column, partnerColumn } from "../../../_components/lists/table.tsx";

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
    { id: "at", header: "Time", pinned: true, cell: ({ at }) => <Time at={at} form="absolute" />, card: 3.1, aside: true },
    { id: "what", header: "Request", cell: (request) => <Target request={request} />, card: 2 },
    { id: "status", header: "Status", cell: (request) => <StatusOf request={request} />, card: 1.1 },
    {
      ...{ id: "took", header: "Took", align: "end", card: isOperator ? undefined : 3.2, aside: true },
      cell: ({ duration_ms }) => `${duration_ms.toFixed(1)} ms`,
    },
    ...partnerColumn<Request>(isOperator, 3.2).map((column) => ({ ...column, cell: whose, inCard: whose })),
    { id: "key", header: "Key", cell: (request) => <Caller request={request} /> },
    {
      ...{ id: "id", header: "Request id", card: 1.2 },
      cell: ({ request_id: id }) => <Id value={id} what="request id" />,
      inCard: ({ request_id: id }) => <Id value={id} what="request id" href={addressOf(id)} copy={false} />,
    },
    { id: "address", header: "Address", cell: ({ address }) => address },
  ];
}

const whose = ({ partner }: Request) => partner?.name ?? "Operator";

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
