import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { History } from "./history.tsx";
import { Overrides } from "./overrides.tsx";
import { type Pair, pairName, setOf, type TermsSet } from "./pair-words.ts";
import { TermsForm } from "./terms-form.tsx";
import { TERMS_DRAWER } from "./terms-words.ts";

type Draft = { terms: TermsSet; reason: string; number: number };

/** A pair's terms: editing, partners' overrides, and all versions. */
export function TermsDrawer({ pair, onClose }: { pair: Pair; onClose: () => void }) {
  const t = useTranslations(TERMS_DRAWER);
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.session.me.queryOptions());
  const mayEdit = me?.role === "admin";
  const [tab, setTab] = useState("terms");
  const [draft, setDraft] = useState<Draft | null>(null);
  const owner = {
    source_currency: pair.source_currency,
    destination_currency: pair.destination_currency,
    chain: pair.chain,
    partner_id: null,
  };
  const goBackTo = (terms: TermsSet, version: number) => {
    setDraft({ terms, reason: t.backVersion(version), number: (draft?.number ?? 0) + 1 });
    setTab("terms");
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={pairName(pair)}
      description={t.onVersion(pair.chain, pair.terms.version)}
      shape="drawer"
    >
      <Tabs
        label={t.termsOf(pairName(pair))}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: "terms",
            label: t.terms,
            content: (
              <TermsForm
                key={`${draft?.number ?? 0}`}
                owner={owner}
                current={pair.terms}
                initial={draft?.terms ?? setOf(pair.terms)}
                initialReason={draft?.reason ?? ""}
                mayEdit={mayEdit}
                onSaved={() => setDraft(null)}
              />
            ),
          },
          {
            value: "overrides",
            label: t.partners,
            count: pair.overrides.length,
            content: <Overrides pair={pair} mayEdit={mayEdit} />,
          },
          { value: "history", label: t.history, content: <History owner={owner} {...(mayEdit && { onRevert: goBackTo })} /> },
        ]}
      />
    </Dialog>
  );
}
