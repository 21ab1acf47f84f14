import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { useTranslations } from "../../_words/words.ts";
import { FUND_POOL } from "./words.ts";

const FundDialog = lazyComponent(() => import("./fund-dialog.tsx").then(({ FundDialog: Loaded }) => Loaded));

/** Opens the dialog that adds play money to a pool of a simulated provider. */
export function FundPool({ currency, proposed }: { currency: string; proposed: string }) {
  const t = useTranslations(FUND_POOL);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="fund">
      <Button onClick={() => setOpen(true)}>
        {t.fund}
        <span className="sr-only"> {t.pool(currency)}</span>
      </Button>
      {isOpen && <FundDialog currency={currency} proposed={proposed} onClose={() => setOpen(false)} />}
    </div>
  );
}
