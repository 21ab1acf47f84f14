"use client";

import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { signOut } from "../../_format/sign-in.ts";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { NOT_ME } from "./words.ts";

/** Locks the user's own account, for a user who finds something that they have not done. */
export function NotMe() {
  const t = useTranslations(NOT_ME);
  const { account } = useTRPCClient();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <p className="section-end">
        <Button onClick={() => setAsking(true)}>{t.notMe}</Button>
      </p>
      {asking && (
        <ConfirmDialog
          title={t.title}
          description={t.explained}
          reason={{ label: t.what, hint: t.hint, most: 500 }}
          button={t.lock}
          isDanger
          mutation={(reason) => account.notMe.mutate({ reason })}
          onDone={() => void signOut()}
          onClose={() => setAsking(false)}
        >
          {null}
        </ConfirmDialog>
      )}
    </>
  );
}
