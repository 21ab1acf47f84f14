import { Check, Copy, ExternalLink, Filter, PanelRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { AnchoredMenu, MenuItem, MenuSeparator } from "../../_components/controls/menu.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { usePreferences } from "../../_components/frame/preferences.tsx";
import type { Row } from "./columns.tsx";
import { SETTLEMENTS, type SetParams } from "./search-params.ts";

type RowMenuProps = {
  row: Row;
  anchor: HTMLElement;
  isOperator: boolean;
  set: SetParams;
  onPeek: () => void;
  onSelect: () => void;
  onClose: () => void;
};

/** What may be done with one row. */
export function RowMenu({ row, anchor, isOperator, set, onPeek, onSelect, onClose }: RowMenuProps) {
  const router = useRouter();
  const toast = useToast();
  const showsAmounts = usePreferences().preferences.amounts === "shown";
  const { settlement, partner, amounts } = row;
  const copy = (what: string, text: string | null | undefined) =>
    text && (
      <MenuItem icon={Copy} onSelect={() => void navigator.clipboard.writeText(text).then(() => toast("Copied", text))}>
        Copy {what}
      </MenuItem>
    );
  const narrow = (what: string, next: Parameters<SetParams>[0]) => (
    <MenuItem icon={Filter} onSelect={() => set({ ...SETTLEMENTS.fromTheTop, ...next })}>
      Only {what}
    </MenuItem>
  );
  return (
    <AnchoredMenu anchor={anchor} onClose={onClose}>
      <MenuItem icon={ExternalLink} onSelect={() => router.push(`/console/settlements/${settlement.tx_id}`)}>
        Open
      </MenuItem>
      <MenuItem icon={PanelRight} onSelect={onPeek}>
        Look at it beside the list
      </MenuItem>
      <MenuItem icon={Check} onSelect={onSelect}>
        Select
      </MenuItem>
      <MenuSeparator />
      {copy("settlement id", settlement.tx_id)}
      {copy("external id", settlement.external_tx_id)}
      {copy("wallet", settlement.wallet_address)}
      {copy("transaction hash", settlement.tx_hash)}
      {showsAmounts && copy("source amount", amounts.source)}
      {showsAmounts && copy("net amount", amounts.net)}
      <MenuSeparator />
      {narrow("this merchant", { merchant: settlement.external_merchant_id })}
      {isOperator && narrow("this partner", { partner: partner.id })}
      {narrow("this pair", { source: settlement.source_currency, destination: settlement.destination_currency })}
      {narrow("this day", { from: settlement.created_at.slice(0, 10), to: settlement.created_at.slice(0, 10) })}
    </AnchoredMenu>
  );
}
