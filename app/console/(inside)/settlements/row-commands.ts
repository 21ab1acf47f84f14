import { useRouter } from "next/navigation";
import { useToast } from "../../_components/controls/toast.tsx";
import { useCommand } from "../../_components/frame/commands.ts";
import { useTranslations } from "../../_words/words.ts";
import type { Row } from "./columns.tsx";
import { ROW_MENU } from "./words.ts";

/** What the palette offers for the current row of the list; shows nothing. */
export function RowCommands({ row, mayDecide }: { row: Row; mayDecide: boolean }) {
  const t = useTranslations(ROW_MENU);
  const router = useRouter();
  const toast = useToast();
  const { settlement } = row;
  const about = settlement.external_merchant_id;
  const isPending = settlement.status === "quoted" && settlement.approval_state === "pending";
  const decide = (what: "approve" | "reject") => () => router.push(`/console/settlements/${settlement.tx_id}?decide=${what}`);
  const copy = (text: string | null | undefined) => () => {
    if (text) void navigator.clipboard.writeText(text).then(() => toast(t.copied, text));
  };
  useCommand(t.approve, about, decide("approve"), isPending && mayDecide);
  useCommand(t.reject, about, decide("reject"), isPending && mayDecide);
  useCommand(t.copy(t.settlementId), about, copy(settlement.tx_id));
  useCommand(t.copy(t.externalId), about, copy(settlement.external_tx_id), Boolean(settlement.external_tx_id));
  useCommand(t.copy(t.walletNoun), about, copy(settlement.wallet_address));
  useCommand(t.copy(t.transactionHash), about, copy(settlement.tx_hash), Boolean(settlement.tx_hash));
  return null;
}
