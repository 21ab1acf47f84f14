import { Ellipsis, Printer, Terminal } from "lucide-react";
import { signedCurl } from "#contract/signed-curl.ts";
import { Button, IconButton } from "../../../_components/controls/button.tsx";
import { CopyAction } from "../../../_components/controls/copy-button.tsx";
import { Menu, MenuItem } from "../../../_components/controls/menu.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { useSettlementView } from "../../../_components/controls/values.tsx";
import { useShortcut } from "../../../_components/frame/shortcuts.tsx";
import { useTranslations } from "../../../_words/words.ts";
import type { What } from "../../approvals/foot-parts.tsx";
import type { Story } from "./story.ts";
import { ACTIONS } from "./words.ts";

/** The actions on a settlement, by role and status. Those that need a valid quote are disabled the moment it expires. */
export function Actions({ story, decide }: { story: Story; decide: ((what: What) => void) | null }) {
  const t = useTranslations(ACTIONS);
  const { settlement } = story;
  const view = useSettlementView(settlement);
  const toast = useToast();
  const copy = (what: string, text: string) => void navigator.clipboard.writeText(text).then(() => toast(t.copied, what));
  return (
    <>
      {settlement.status === "quoted" && (
        <CopyAction text={confirmCommand(story)} disabled={view !== "quoted" && view !== "approved"}>
          {t.confirmAsCurl}
        </CopyAction>
      )}
      <Menu trigger={<IconButton label={t.more} icon={Ellipsis} look="plain" />}>
        <MenuItem icon={Terminal} onSelect={() => copy(t.getAsCurl, readCommand(story))}>
          {t.copyAsCurl}
        </MenuItem>
        <MenuItem icon={Printer} onSelect={() => window.print()}>
          {t.printReceipt}
        </MenuItem>
      </Menu>
      {decide && <Decide onDecide={decide} />}
    </>
  );
}

function readCommand({ api, settlement }: Story): string {
  const path = `/api/v1/settlements/${settlement.tx_id}`;
  return signedCurl({ baseUrl: api.base_url, brand: api.brand, method: "GET", path });
}

function confirmCommand({ api, settlement, creation_callback_url: creationUrl }: Story): string {
  const body = {
    external_tx_id: "your-reference",
    ...(creationUrl === null && { callback_url: "https://example.com/callbacks" }),
    expected_destination_amount: settlement.destination_amount,
  };
  const path = `/api/v1/settlements/${settlement.tx_id}/confirm`;
  return signedCurl({ baseUrl: api.base_url, brand: api.brand, method: "POST", path, body: JSON.stringify(body) });
}

function Decide({ onDecide }: { onDecide: (what: What) => void }) {
  const t = useTranslations(ACTIONS);
  useShortcut("a", t.approveSettlement, () => onDecide("approve"));
  useShortcut("r", t.rejectSettlement, () => onDecide("reject"));
  return (
    <div className="decide">
      <Button look="danger" onClick={() => onDecide("reject")} aria-keyshortcuts="r">
        {t.reject}
      </Button>
      <Button look="primary" onClick={() => onDecide("approve")} aria-keyshortcuts="a">
        {t.approve}
      </Button>
    </div>
  );
}
