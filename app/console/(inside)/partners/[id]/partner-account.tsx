import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button, LinkButton } from "../../../_components/controls/button.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { KeyValues, Money } from "../../../_components/controls/values.tsx";
import { Empty, QueryBoundary, Skeleton } from "../../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../../_words/words.ts";
import type { BookingRow, Partner } from "../answers.ts";
import { BookingTable } from "./booking-table.tsx";
import { ACCOUNT } from "./words.ts";

const BookingDialog = lazyComponent(() => import("./booking-dialog.tsx").then(({ BookingDialog: Loaded }) => Loaded));
const ReverseDialog = lazyComponent(() => import("./booking-dialog.tsx").then(({ ReverseDialog: Loaded }) => Loaded));

/** What the partner owes, and what was booked on its account: its payments, and ours to it. */
export function PartnerAccount({ partner, mayManage }: { partner: Partner; mayManage: boolean }) {
  const t = useTranslations(ACCOUNT);
  const trpc = useTRPC();
  const options = trpc.bookings.list.queryOptions({ partner_id: partner.id });
  const list = useQuery(options);
  const [asked, setAsked] = useState<"book" | BookingRow | null>(null);
  useLiveChanges(({ action }) => action.startsWith("booking."), useRefresh(options.queryKey));
  const close = () => setAsked(null);
  return (
    <QueryBoundary of={list} waiting={<Skeleton rows={4} />}>
      {({ data, balances }) => (
        <>
          <KeyValues items={balancesOf(balances, t)} />
          {mayManage && (
            <span className="form-buttons">
              <Button look="primary" onClick={() => setAsked("book")}>
                {t.book}
              </Button>
              <LinkButton href="/console/partners/bank-file">{t.bankFile}</LinkButton>
            </span>
          )}
          {data.length === 0 ? (
            <Empty title={t.none} more={t.noneMore} />
          ) : (
            <BookingTable rows={data} onReverse={mayManage ? setAsked : null} />
          )}
          {asked === "book" && <BookingDialog partner={partner} onClose={close} />}
          {asked !== null && asked !== "book" && <ReverseDialog booking={asked} onClose={close} />}
        </>
      )}
    </QueryBoundary>
  );
}

type Translations = WithShared<typeof ACCOUNT>;

function balancesOf(balances: Answers["bookings"]["list"]["balances"], t: Translations) {
  const open = balances.filter(({ amount }) => /[1-9]/.test(amount));
  if (open.length === 0) return [{ key: t.owesUs, value: <span className="none">{t.nothingOwed}</span> }];
  return open.map(({ currency, chain, amount, owed_by: by }) => ({
    key: by === "partner" ? t.owesUs : t.weOwe,
    value: (
      <>
        <Money amount={amount} currency={currency} /> {chain !== null && <Data>{chain}</Data>}
      </>
    ),
  }));
}
