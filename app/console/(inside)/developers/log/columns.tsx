import { Check, CircleAlert, X } from "lucide-react";
import type { Answers } from "#server/console/router.ts";
import { Link } from "../../../_components/controls/link.tsx";
import { Badge, Id, Time } from "../../../_components/controls/values.tsx";
import { type Column, partnerColumn } from "../../../_components/lists/table.tsx";
import { Data, useTranslations, type WithShared } from "../../../_words/words.ts";
import { COLUMNS } from "./words.ts";

type Translations = WithShared<typeof COLUMNS>;

export const addressOf = (requestId: string) => `/console/developers/log/${requestId}`;

type Request = Answers["apiLog"]["list"]["data"][number];

/** The status as a sign, a colour and the number. */
export function StatusOf({ request: { status, code } }: { request: Pick<Request, "status" | "code"> }) {
  const kind =
    status < 400 ? { icon: Check, tone: "executed" } : status < 500 ? { icon: CircleAlert, tone: "pending" } : { icon: X, tone: "failed" };
  return (
    <Data>
      <Badge word={String(status)} {...kind} {...(code && { detail: code })} />
    </Data>
  );
}

/** The caller: a key, or for the console's own calls a person. */
export function Caller({ request: { key, person } }: { request: Pick<Request, "key" | "person"> }) {
  const t = useTranslations(COLUMNS);
  if (key === null) return <span className="muted">{t.inConsole(person)}</span>;
  return (
    <span className="short" title={`${key.name} (…${key.last_four})`} translate="no">
      {key.name} <span className="muted">…{key.last_four}</span>
    </span>
  );
}

export function columnsFor(isOperator: boolean, t: Translations): Column<Request>[] {
  return [
    { id: "at", header: t.time, pinned: true, cell: ({ at }) => <Time at={at} form="absolute" />, card: 3.1, aside: true },
    { id: "what", header: t.request, cell: (request) => <Target request={request} />, card: 2 },
    { id: "status", header: t.status, cell: (request) => <StatusOf request={request} />, card: 1.1 },
    {
      id: "took",
      header: t.took,
      align: "end",
      card: isOperator ? undefined : 3.2,
      aside: true,
      cell: ({ duration_ms }) => t.ms(duration_ms.toFixed(1)),
    },
    ...partnerColumn<Request>(isOperator, 3.2, t).map((column) => ({
      ...column,
      cell: (row: Request) => whose(row, t),
      inCard: (row: Request) => whose(row, t),
    })),
    { id: "key", header: t.key, cell: (request) => <Caller request={request} /> },
    {
      id: "id",
      header: t.requestId,
      card: 1.2,
      cell: ({ request_id: id }) => <Id value={id} what={t.requestIdNoun} />,
      inCard: ({ request_id: id }) => <Id value={id} what={t.requestIdNoun} href={addressOf(id)} copy={false} />,
    },
    { id: "address", header: t.address, spare: true, cell: ({ address }) => <Data>{address}</Data> },
  ];
}

const whose = ({ partner }: Request, t: Translations) => (partner ? <Data>{partner.name}</Data> : t.operator);

function Target({ request: { request_id, method, path, query, replayed } }: { request: Request }) {
  const t = useTranslations(COLUMNS);
  return (
    <span className="target">
      <Link href={addressOf(request_id)} className="target-link" title={query === "" ? path : `${path}?${query}`} translate="no">
        <b>{method}</b> <code>{path}</code>
      </Link>
      {query !== "" && <span className="muted">?…</span>}
      {replayed && <span className="muted"> {t.replayed}</span>}
    </span>
  );
}
