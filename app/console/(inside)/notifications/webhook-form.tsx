import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { WEBHOOK_FORM } from "./words.ts";

/** Anyone who knows the URL can post there, so the service accepts it and never returns it. */
export function WebhookForm({ host, onSaved }: { host: string | null; onSaved: () => void }) {
  const t = useTranslations(WEBHOOK_FORM);
  const { notifications } = useTRPCClient();
  const toast = useToast();
  const saving = useConfirmedMutation();
  const [url, setUrl] = useState("");
  const save = (next: string | null) =>
    void saving.run(
      () => notifications.setWebhook.mutate({ url: next }),
      () => {
        toast(next === null ? t.webhookRemoved : t.webhookSaved, next === null ? t.removedMore : t.savedMore);
        setUrl("");
        onSaved();
      },
    );
  return (
    <form
      className="form wish-form"
      onSubmit={(event) => {
        event.preventDefault();
        save(url.trim());
      }}
    >
      {saving.error !== null && <Refused error={saving.error} />}
      <TextField
        label={host === null ? t.address : t.newAddress(host)}
        type="url"
        hint={t.addressHint}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <div className="button-row">
        <Button type="submit" look="primary" disabled={url.trim() === ""} pending={saving.pending}>
          {t.save}
        </Button>
        {host !== null && (
          <Button look="danger" onClick={() => save(null)}>
            {t.remove}
          </Button>
        )}
      </div>
    </form>
  );
}
