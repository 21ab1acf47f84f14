import { Link } from "../../../_components/controls/link.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { Table } from "../../../_components/lists/table.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { topupColumns, withdrawalColumns } from "../../fiat/columns.tsx";
import { COLUMNS } from "../../fiat/words.ts";
import type { MemberStory } from "./story.ts";
import { ORDERS_PART } from "./words.ts";

const SHOWN = ["status", "id", "amount", "crypto", "created"];

/** The member's newest withdrawals and top-ups. */
export function OrdersPart({ story: { member, topups, withdrawals } }: { story: MemberStory }) {
  const t = useTranslations(ORDERS_PART);
  const inRows = useTranslations(COLUMNS);
  return (
    <>
      <Section title={t.topUps} aside={topups.length > 0 && <All tab="topups" id={member.id} />}>
        {topups.length === 0 ? (
          <p className="muted">{t.noneYet}</p>
        ) : (
          <Table
            caption={t.topUpsCaption}
            columns={topupColumns(false, inRows).filter(({ id }) => SHOWN.includes(id))}
            rows={topups}
            keyOf={({ topup }) => topup.id}
          />
        )}
      </Section>
      <Section title={t.withdrawals} aside={withdrawals.length > 0 && <All tab="withdrawals" id={member.id} />}>
        {withdrawals.length === 0 ? (
          <p className="muted">{t.noneYet}</p>
        ) : (
          <Table
            caption={t.withdrawalsCaption}
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
  const t = useTranslations(ORDERS_PART);
  return <Link href={`/console/fiat?tab=${tab}&of=${id}`}>{t.allOrders}</Link>;
}
