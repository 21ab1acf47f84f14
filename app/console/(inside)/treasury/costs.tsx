import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { BookingTable } from "../partners/[id]/booking-table.tsx";
import type { BookingRow } from "../partners/answers.ts";
import { COSTS } from "./words.ts";

const BookingDialog = lazyComponent(() => import("../partners/[id]/booking-dialog.tsx").then(({ BookingDialog: Loaded }) => Loaded));
const ReverseDialog = lazyComponent(() => import("../partners/[id]/booking-dialog.tsx").then(({ ReverseDialog: Loaded }) => Loaded));

/** What fiat providers took, and what was lost at one: the operator bears it, and no partner. */
export function Costs({ mayOrder }: { mayOrder: boolean }) {
  const t = useTranslations(COSTS);
  const options = useTRPC().bookings.list.queryOptions({ partner_id: null });
  const list = useQuery(options);
  const [asked, setAsked] = useState<"book" | BookingRow | null>(null);
  useLiveChanges(({ action }) => action.startsWith("booking."), useRefresh(options.queryKey));
  const close = () => setAsked(null);
  return (
    <Section title={t.costs} aside={mayOrder && <Button onClick={() => setAsked("book")}>{t.bookCost}</Button>}>
      <p className="muted">{t.costsMean}</p>
      <QueryBoundary of={list} waiting={<Skeleton rows={3} />}>
        {({ data }) =>
          data.length === 0 ? <Empty title={t.noCosts} /> : <BookingTable rows={data} onReverse={mayOrder ? setAsked : null} />
        }
      </QueryBoundary>
      {asked === "book" && <BookingDialog partner={null} onClose={close} />}
      {asked !== null && asked !== "book" && <ReverseDialog booking={asked} onClose={close} />}
    </Section>
  );
}
