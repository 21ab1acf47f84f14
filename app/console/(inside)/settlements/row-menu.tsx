import { Check, Copy, ExternalLink, Filter, PanelRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { AnchoredMenu, MenuItem, MenuSeparator } from "../../_components/controls/menu.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { usePreferences } from "../../_components/frame/preferences.tsx";
import { useTranslations } from "../../_words/words.ts";
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

/** The actions on one row. */
export function RowMenu({ row, anchor, isOperator, set, onPeek, onSelect, onClose }: RowMenuProps) {
  const t = useTranslations(ROW_MENU);
  const router = useRouter();
  const toast = useToast();
  const showsAmounts = usePreferences().preferences.amounts === "shown";
  const { settlement, partner, amounts } = row;
  const copy = (what: string, text: string | null | undefined) =>
    text && (
      <MenuItem icon={Copy} onSelect={() => void navigator.clipboard.writeText(text).then(() => toast(t.copied, text))}>
        {t.copy(what)}
      </MenuItem>
    );
  const narrow = (what: string, next: Parameters<SetParams>[0]) => (
    <MenuItem icon={Filter} onSelect={() => set({ ...SETTLEMENTS.fromTheTop, ...next })}>
      {t.only(what)}
    </MenuItem>
  );
  return (
    <AnchoredMenu anchor={anchor} onClose={onClose}>
      <MenuItem icon={ExternalLink} onSelect={() => router.push(`/console/settlements/${settlement.tx_id}`)}>
        {t.open}
      </MenuItem>
      <MenuItem icon={PanelRight} onSelect={onPeek}>
        {t.preview}
      </MenuItem>
      <MenuItem icon={Check} onSelect={onSelect}>
        {t.select}
      </MenuItem>
      <MenuSeparator />
      {copy(t.settlementId, settlement.tx_id)}
      {copy(t.externalId, settlement.external_tx_id)}
      {copy(t.walletNoun, settlement.wallet_address)}
      {copy(t.transactionHash, settlement.tx_hash)}
      {showsAmounts && copy(t.sourceAmount, amounts.source)}
      {showsAmounts && copy(t.netAmount, amounts.net)}
      <MenuSeparator />
      {narrow(t.merchant, { merchant: settlement.external_merchant_id })}
      {isOperator && narrow(t.partner, { partner: partner.id })}
      {narrow(t.pair, { source: settlement.source_currency, destination: settlement.destination_currency })}
      {narrow(t.day, { from: settlement.created_at.slice(0, 10), to: settlement.created_at.slice(0, 10) })}
    </AnchoredMenu>
  );
}
