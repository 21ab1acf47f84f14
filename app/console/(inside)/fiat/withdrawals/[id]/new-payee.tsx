import { useState } from "react";
import { Button } from "../../../../_components/controls/button.tsx";
import { useToast } from "../../../../_components/controls/toast.tsx";
import { KeyValues, Time } from "../../../../_components/controls/values.tsx";
import { ConfirmDialog } from "../../../../_components/dialogs/confirm-dialog.tsx";
import { Note } from "../../../../_components/frame/page-parts.tsx";
import { useTRPCClient } from "../../../../_trpc/client.tsx";
import { Data, Trans, useTranslations } from "../../../../_words/words.ts";
import type { WithdrawalStory } from "../../story.ts";
import { NEW_PAYEE } from "../../story-words.ts";

type Props = { withdrawal: WithdrawalStory["withdrawal"]; mayApprove: boolean; onApproved: () => void };

/** Why a payout to an account that was not paid before waits, and an owner's yes to it. */
export function NewPayee({ withdrawal: { id, destination, waiting_until }, mayApprove, onApproved }: Props) {
  const t = useTranslations(NEW_PAYEE);
  const { fiat } = useTRPCClient();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Note kind="warning">
        {waiting_until !== null && <Trans sentence={t.waits} end={<Time at={waiting_until} form="absolute" />} />}{" "}
        {mayApprove ? t.byOwner : t.byOthers}
      </Note>
      {mayApprove && (
        <div className="button-row">
          <Button onClick={() => setAsking(true)}>{t.approve}</Button>
        </div>
      )}
      {asking && (
        <ConfirmDialog
          title={t.title(destination.name)}
          description={t.consequence}
          button={t.approve}
          mutation={() => fiat.approvePayee.mutate({ id }).finally(onApproved)}
          onDone={() => toast(t.approved, t.soon)}
          onClose={() => setAsking(false)}
        >
          <KeyValues
            items={[
              { key: t.name, value: <Data>{destination.name}</Data> },
              { key: t.account, value: <Data>{destination.account}</Data> },
            ]}
          />
        </ConfirmDialog>
      )}
    </>
  );
}
