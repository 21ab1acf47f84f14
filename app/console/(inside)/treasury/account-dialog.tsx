import { useQuery } from "@tanstack/react-query";
import { Id, Time } from "../../_components/controls/values.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Empty, ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { ACCOUNT } from "./account-words.ts";
import type { AccountLine, LedgerLine } from "./answers.ts";
import { BOOKS } from "./words.ts";

/** The newest entries of one account of the ledger, each with what it was for. */
export function AccountDialog({ of, onClose }: { of: LedgerLine; onClose: () => void }) {
  const [t, { accounts }] = [useTranslations(ACCOUNT), useTranslations(BOOKS)];
  const trpc = useTRPC();
  const { account, partner_id, currency, chain } = of;
  const lines = useQuery(trpc.treasury.accountLines.queryOptions({ account, partner_id, currency, chain }));
  const { name, means } = accounts[account];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t.title(name, currency)} description={means} shape="drawer">
      {lines.isPending && <Skeleton rows={6} />}
      {lines.error && <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />}
      {lines.data?.length === 0 && <Empty title={t.none} />}
      {lines.data && lines.data.length > 0 && (
        <>
          <p className="muted">{t.newest(lines.data.length)}</p>
          <Table caption={t.caption} columns={columnsOf(t)} rows={lines.data} keyOf={({ entry_id: id, line }) => `${id} ${line}`} />
        </>
      )}
    </Dialog>
  );
}

const HOMES: Partial<Record<AccountLine["cause"], string>> = {
  settlement: "/console/settlements",
  topup: "/console/fiat/topups",
  withdrawal: "/console/fiat/withdrawals",
};

function columnsOf(t: WithShared<typeof ACCOUNT>): Column<AccountLine>[] {
  return [
    { id: "when", header: t.when, card: 2.1, aside: true, cell: ({ at }) => <Time at={at} form="absolute" /> },
    { id: "what", header: t.what, card: 1.1, cell: ({ step }) => t.steps[step] },
    {
      id: "for",
      header: t.for,
      card: 2.2,
      cell: ({ cause, cause_id: id }) => {
        const home = HOMES[cause];
        return <Id value={id} what={t.id} copy={false} {...(home !== undefined && { href: `${home}/${id}` })} />;
      },
    },
    moneyColumn("amount", t.amount, ({ amount, currency }) => [amount, currency], { card: 1.2 }),
  ];
}
