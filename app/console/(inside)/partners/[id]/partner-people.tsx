import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Time } from "../../../_components/controls/values.tsx";
import { Empty, Skeleton, Trouble } from "../../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { Data } from "../../../_words/told.tsx";
import { useWords } from "../../../_words/words.ts";
import type { Person } from "../../people/answers.ts";
import { ROLES } from "../../people/words.ts";
import { PARTNER_PEOPLE } from "./words.ts";

type Says = typeof PARTNER_PEOPLE;

/** Who looks at the console for the partner. Only those who manage people may see it. */
export function PartnerPeople({ partnerId, mayManage }: { partnerId: string; mayManage: boolean }) {
  const says = useWords(PARTNER_PEOPLE);
  if (!mayManage) return <p className="muted">{says.adminsAlone}</p>;
  return <Listed partnerId={partnerId} />;
}

function Listed({ partnerId }: { partnerId: string }) {
  const says = useWords(PARTNER_PEOPLE);
  const roles = useWords(ROLES);
  const trpc = useTRPC();
  const { data, error, isPending, refetch } = useQuery(trpc.people.list.queryOptions({ of: partnerId }));
  if (isPending) return <Skeleton rows={3} />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} />;
  const manage = <Link href="/console/people">{says.manage}</Link>;
  if (data.people.length === 0) return <Empty title={says.none}>{manage}</Empty>;
  return (
    <>
      <Table caption={says.caption} columns={columnsOf(says, roles)} rows={data.people} keyOf={({ id }) => id} />
      <p className="section">{manage}</p>
    </>
  );
}

function columnsOf(says: Says, roles: typeof ROLES): Column<Person>[] {
  return [
    { id: "name", header: says.name, cell: ({ name }) => <Data>{name}</Data>, card: 1.1 },
    { id: "email", header: says.email, cell: ({ email }) => <Data>{email}</Data>, card: 2.1, aside: true },
    { id: "role", header: says.role, cell: ({ role }) => roles[role].toLowerCase(), card: 1.2, aside: true },
    { id: "factors", header: says.factors, cell: ({ two_factors }) => (two_factors ? says.on : says.off) },
    { id: "active", header: says.lastActive, cell: (person) => lastActive(person, says), card: 2.2, aside: true },
  ];
}

function lastActive({ disabled_at, last_active_at }: Person, says: Says) {
  if (disabled_at !== null) return <span className="muted">{says.shutOut}</span>;
  return last_active_at === null ? <span className="none">{says.never}</span> : <Time at={last_active_at} />;
}
