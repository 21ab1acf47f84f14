import Link from "next/link";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { Table } from "../../../_components/lists/table.tsx";
import { useWords } from "../../../_words/words.ts";
import { topupColumns, withdrawalColumns } from "../../fiat/columns.tsx";
import { COLUMNS } from "../../fiat/words.ts";
import type { MemberStory } from "./story.ts";
import { ORDERS_PART } from "./words.ts";

const SHOWN = ["status", "id", "amount", "crypto", "created"];

/** What went in and out for the member, the newest of each. */
export function OrdersPart({ story: { member, topups, withdrawals } }: { story: MemberStory }) {
  const says = useWords(ORDERS_PART);
  const inRows = useWords(COLUMNS);
  return (
    <>
      <Section title={says.topUps} aside={topups.length > 0 && <All tab="topups" id={member.id} />}>
        {topups.length === 0 ? (
          <p className="muted">{says.noneYet}</p>
        ) : (
          <Table
            caption={says.newestTopUps}
            columns={topupColumns(false, inRows).filter(({ id }) => SHOWN.includes(id))}
            rows={topups}
            keyOf={({ topup }) => topup.id}
          />
        )}
      </Section>
      <Section title={says.withdrawals} aside={withdrawals.length > 0 && <All tab="withdrawals" id={member.id} />}>
        {withdrawals.length === 0 ? (
          <p className="muted">{says.noneYet}</p>
        ) : (
          <Table
            caption={says.newestWithdrawals}
            columns={withdrawalColumns(false, inRows).filter(({ id }) => SHOWN.includes(id))}
            rows={withdrawals}
            keyOf={({ withdrawal }) => withdrawal.id}
          />
        )}
      </Section>
    </>
  );
}

function All({ tab, id }: { tab: "topups" | "withdrawals"; id: string }) {
  const says = useWords(ORDERS_PART);
  return <Link href={`/console/fiat?tab=${tab}&of=${id}`}>{says.all}</Link>;
}
