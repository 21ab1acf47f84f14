import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../_components/controls/link.tsx";
import { Time } from "../../../_components/controls/values.tsx";
import { Empty, ErrorState, Skeleton } from "../../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../../_words/words.ts";
import type { Person } from "../../people/answers.ts";
import { ROLES } from "../../people/role-words.ts";
import { PARTNER_PEOPLE } from "./words.ts";

type Translations = WithShared<typeof PARTNER_PEOPLE>;

/** The partner's console users. Only users who manage people may see them. */
export function PartnerPeople({ partnerId, mayManage }: { partnerId: string; mayManage: boolean }) {
  const t = useTranslations(PARTNER_PEOPLE);
  if (!mayManage) return <p className="muted">{t.adminsOnly}</p>;
  return <Listed partnerId={partnerId} />;
}

function Listed({ partnerId }: { partnerId: string }) {
  const t = useTranslations(PARTNER_PEOPLE);
  const roles = useTranslations(ROLES);
  const trpc = useTRPC();
  const { data, error, isPending, refetch } = useQuery(trpc.people.list.queryOptions({ of: partnerId }));
  if (isPending) return <Skeleton rows={3} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const manage = <Link href="/console/people">{t.manage}</Link>;
  if (data.people.length === 0) return <Empty title={t.none}>{manage}</Empty>;
  return (
    <>
      <Table caption={t.caption} columns={columnsOf(t, roles)} rows={data.people} keyOf={({ id }) => id} />
      <p className="section">{manage}</p>
    </>
  );
}

function columnsOf(t: Translations, roles: typeof ROLES): Column<Person>[] {
  return [
    { id: "name", header: t.name, cell: ({ name }) => <Data>{name}</Data>, card: 1.1 },
    { id: "email", header: t.eMailAddress, cell: ({ email }) => <Data>{email}</Data>, card: 2.1, aside: true },
    { id: "role", header: t.role, cell: ({ role }) => roles[role].toLowerCase(), card: 1.2, aside: true },
    { id: "factors", header: t.twoFactors, cell: ({ two_factors }) => (two_factors ? t.on : t.off) },
    { id: "active", header: t.lastActive, cell: (person) => lastActive(person, t), card: 2.2, aside: true },
  ];
}

function lastActive({ disabled_at, last_active_at }: Person, t: Translations) {
  if (disabled_at !== null) return <span className="muted">{t.deactivated}</span>;
  return last_active_at === null ? <span className="none">{t.never}</span> : <Time at={last_active_at} />;
}
