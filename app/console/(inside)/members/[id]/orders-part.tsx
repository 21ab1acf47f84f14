import Link from "next/link";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { Table } from "../../../_components/lists/table.tsx";
import { topupColumns, withdrawalColumns } from "../../fiat/columns.tsx";
import type { MemberStory } from "./story.ts";

const SHOWN = ["status", "id", "amount", "crypto", "created"];

/** What went in and out for the member, the newest of each. */
export function OrdersPart({ story: { member, topups, withdrawals } }: { story: MemberStory }) {
  return (
    <>
      <Section title="Top-ups" aside={topups.length > 0 && <All tab="topups" id={member.id} />}>
        {topups.length === 0 ? (
          <p className="muted">None yet.</p>
        ) : (
          <Table
            caption="The member's newest top-ups"
            columns={topupColumns(false).filter(({ id }) => SHOWN.includes(id))}
            rows={topups}
            keyOf={({ topup }) => topup.id}
          />
        )}
      </Section>
      <Section title="Withdrawals" aside={withdrawals.length > 0 && <All tab="withdrawals" id={member.id} />}>
        {withdrawals.length === 0 ? (
          <p className="muted">None yet.</p>
        ) : (
          <Table
            caption="The member's newest withdrawals"
            columns={withdrawalColumns(false).filter(({ id }) => SHOWN.includes(id))}
            rows={withdrawals}
            keyOf={({ withdrawal }) => withdrawal.id}
          />
        )}
      </Section>
    </>
  );
}

function All({ tab, id }: { tab: "topups" | "withdrawals"; id: string }) {
  return <Link href={`/console/fiat?tab=${tab}&of=${id}`}>All of this member's</Link>;
}
