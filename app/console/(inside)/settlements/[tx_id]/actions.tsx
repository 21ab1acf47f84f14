import { Ellipsis, Printer, Terminal } from "lucide-react";
import { useRef, useState } from "react";
import { signedCurl } from "#contract/signed-curl.ts";
import { Button, IconButton } from "../../../_components/controls/button.tsx";
import { CopyAction } from "../../../_components/controls/copy-button.tsx";
import { lazyComponent } from "../../../_components/controls/lazy-component.tsx";
import { Menu, MenuItem } from "../../../_components/controls/menu.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { useSettlementView } from "../../../_components/controls/values.tsx";
import { useShortcut } from "../../../_components/frame/shortcuts.tsx";
import { useTranslations } from "../../../_words/words.ts";
import type { Story } from "./story.ts";
import { ACTIONS } from "./words.ts";

const ApproveDialog = lazyComponent(() => import("../../approvals/approve-dialog.tsx").then(({ ApproveDialog: Loaded }) => Loaded));
const RejectDialog = lazyComponent(() => import("../../approvals/reject-dialog.tsx").then(({ RejectDialog: Loaded }) => Loaded));

/** The actions on a settlement, by role and status. Those that need a valid quote are disabled the moment it expires. */
export function Actions({ story, mayDecide }: { story: Story; mayDecide: boolean }) {
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
      {mayDecide && <Decide story={story} />}
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

function Decide({ story }: { story: Story }) {
  const t = useTranslations(ACTIONS);
  const [open, setOpen] = useState<"approve" | "reject" | null>(null);
  const approve = useRef<HTMLButtonElement>(null);
  const { settlement } = story;
  const isPending = settlement.status === "quoted" && settlement.approval_state === "pending";
  useShortcut("a", t.approveSettlement, () => setOpen("approve"), isPending);
  useShortcut("r", t.rejectSettlement, () => setOpen("reject"), isPending);
  const close = () => setOpen(null);
  return (
    <>
      {isPending && (
        <div className="decide">
          <Button look="danger" onClick={() => setOpen("reject")} aria-keyshortcuts="r">
            {t.reject}
          </Button>
          <Button ref={approve} look="primary" onClick={() => setOpen("approve")} aria-keyshortcuts="a">
            {t.approve}
          </Button>
        </div>
      )}
      <ApproveDialog txId={settlement.tx_id} open={open === "approve"} onClose={close} />
      <RejectDialog row={story} open={open === "reject"} onClose={close} />
    </>
  );
}
