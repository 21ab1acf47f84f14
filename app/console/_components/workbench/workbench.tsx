import { usePathname } from "next/navigation";
import { Tabs } from "#app/console/_components/controls/tabs.tsx";
import { Dialog } from "#app/console/_components/dialogs/dialog.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { Deliveries } from "./deliveries.tsx";
import { Requests } from "./requests.tsx";
import { SendRequest } from "./send-request.tsx";
import { WORKBENCH } from "./words.ts";

/** What a partner's program asks and gets, live, over any page. On a settlement's page it is about that settlement. */
export function Workbench({ brand, onClose }: { brand: string; onClose: () => void }) {
  const t = useTranslations(WORKBENCH);
  const txId = /^\/console\/settlements\/(tx_[0-9a-z]{26})$/.exec(usePathname())?.[1] ?? null;
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t.title} shape="drawer" width="wide">
      {txId !== null && (
        <p className="muted">
          <Trans sentence={t.aboutSettlement} id={<code translate="no">{txId}</code>} />
        </p>
      )}
      <Tabs
        label={t.title}
        tabs={[
          { value: "requests", label: t.requests, content: <Requests txId={txId} /> },
          { value: "callbacks", label: t.callbacks, content: <Deliveries txId={txId} /> },
          { value: "send", label: t.send, content: <SendRequest brand={brand} txId={txId} /> },
        ]}
      />
    </Dialog>
  );
}
