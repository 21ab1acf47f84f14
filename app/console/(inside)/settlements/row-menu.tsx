import { Check, Copy, ExternalLink, Filter, PanelRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { AnchoredMenu, MenuItem, MenuSeparator } from "../../_components/controls/menu.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { usePreferences } from "../../_components/frame/preferences.tsx";
import { useWords } from "../../_words/words.ts";
import type { Row } from "./columns.tsx";
import { SETTLEMENTS, type SetParams } from "./search-params.ts";
import { ROW_MENU } from "./words.ts";

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
  const says = useWords(ROW_MENU);
  const router = useRouter();
  const toast = useToast();
  const showsAmounts = usePreferences().preferences.amounts === "shown";
  const { settlement, partner, amounts } = row;
  const copy = (what: string, text: string | null | undefined) =>
    text && (
      <MenuItem icon={Copy} onSelect={() => void navigator.clipboard.writeText(text).then(() => toast(says.copied, text))}>
        {says.copy(what)}
      </MenuItem>
    );
  const narrow = (what: string, next: Parameters<SetParams>[0]) => (
    <MenuItem icon={Filter} onSelect={() => set({ ...SETTLEMENTS.fromTheTop, ...next })}>
      {says.only(what)}
    </MenuItem>
  );
  return (
    <AnchoredMenu anchor={anchor} onClose={onClose}>
      <MenuItem icon={ExternalLink} onSelect={() => router.push(`/console/settlements/${settlement.tx_id}`)}>
        {says.open}
      </MenuItem>
      <MenuItem icon={PanelRight} onSelect={onPeek}>
        {says.lookBesideList}
      </MenuItem>
      <MenuItem icon={Check} onSelect={onSelect}>
        {says.select}
      </MenuItem>
      <MenuSeparator />
      {copy(says.settlementId, settlement.tx_id)}
      {copy(says.externalId, settlement.external_tx_id)}
      {copy("wallet", settlement.wallet_address)}
      {copy(says.transactionHash, settlement.tx_hash)}
      {showsAmounts && copy(says.sourceAmount, amounts.source)}
      {showsAmounts && copy(says.netAmount, amounts.net)}
      <MenuSeparator />
      {narrow(says.merchant, { merchant: settlement.external_merchant_id })}
      {isOperator && narrow(says.partner, { partner: partner.id })}
      {narrow(says.pair, { source: settlement.source_currency, destination: settlement.destination_currency })}
      {narrow(says.day, { from: settlement.created_at.slice(0, 10), to: settlement.created_at.slice(0, 10) })}
    </AnchoredMenu>
  );
}
