import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { Time } from "../../../_components/controls/values.tsx";
import { Empty, Skeleton, Trouble } from "../../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import type { Person } from "../../people/answers.ts";

/** Who looks at the console for the partner. Only those who manage people may see it. */
export function PartnerPeople({ partnerId, mayManage }: { partnerId: string; mayManage: boolean }) {
  if (!mayManage) return <p className="muted">Only admins see who the people of a partner are.</p>;
  return <Listed partnerId={partnerId} />;
}

function Listed({ partnerId }: { partnerId: string }) {
  const trpc = useTRPC();
  const { data, error, isPending, refetch } = useQuery(trpc.people.list.queryOptions({ of: partnerId }));
  if (isPending) return <Skeleton rows={3} />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} />;
  const manage = <Link href="/console/people">Invite and manage people</Link>;
  if (data.people.length === 0) return <Empty title="Nobody looks at the console for it yet">{manage}</Empty>;
  return (
    <>
      <Table caption="People of the partner" columns={COLUMNS} rows={data.people} keyOf={({ id }) => id} />
      <p className="section">{manage}</p>
    </>
  );
}

const COLUMNS: Column<Person>[] = [
  { id: "name", header: "Name", cell: ({ name }) => name, card: 1.1 },
  { id: "email", header: "E-mail address", cell: ({ email }) => email, card: 2.1, aside: true },
  { id: "role", header: "Role", cell: ({ role }) => role, card: 1.2, aside: true },
  { id: "factors", header: "Two factors", cell: ({ two_factors }) => (two_factors ? "On" : "Off") },
  { id: "active", header: "Last active", cell: lastActive, card: 2.2, aside: true },
];

function lastActive({ disabled_at, last_active_at }: Person) {
  if (disabled_at !== null) return <span className="muted">shut out</span>;
  return last_active_at === null ? <span className="none">never</span> : <Time at={last_active_at} />;
}
