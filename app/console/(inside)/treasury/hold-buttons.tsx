import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { HoldOrder } from "./answers.ts";
import { HELD } from "./held-words.ts";

export const HoldDialog = lazyComponent(() => import("./hold-dialog.tsx").then(({ HoldDialog: Loaded }) => Loaded));

/** Releases or refuses one held payment. */
export function HoldButtons({ payment, onOrder }: { payment: HoldOrder["payment"]; onOrder: (order: HoldOrder) => void }) {
  const t = useTranslations(HELD);
  const named = (
    <span className="sr-only" translate="no">
      {" "}
      {payment.owner_id}
    </span>
  );
  return (
    <span className="wallet-buttons">
      <Button look="danger" onClick={() => onOrder({ what: "refuse", payment })}>
        {t.refuseButton}
        {named}
      </Button>
      <Button onClick={() => onOrder({ what: "release", payment })}>
        {t.releaseButton}
        {named}
      </Button>
    </span>
  );
}
