import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { WEBHOOK_FORM } from "./words.ts";

/** Whoever knows the address can write there: it is told to the service, and not told back. */
export function WebhookForm({ host, onSaved }: { host: string | null; onSaved: () => void }) {
  const says = useWords(WEBHOOK_FORM);
  const { notifications } = useTRPCClient();
  const toast = useToast();
  const saving = useDeed();
  const [url, setUrl] = useState("");
  const save = (next: string | null) =>
    void saving.run(
      () => notifications.setWebhook.mutate({ url: next }),
      () => {
        toast(next === null ? says.webhookRemoved : says.webhookSaved, next === null ? says.nothingPostedThere : says.chooseAboveWhat);
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
        label={host === null ? says.addressWebhook : says.anotherAddressPlace(host)}
        type="url"
        autoComplete="off"
        spellCheck={false}
        hint={says.slacksFormWhich}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <div className="button-row">
        <Button type="submit" look="primary" disabled={url.trim() === ""} pending={saving.pending}>
          {says.saveWebhook}
        </Button>
        {host !== null && (
          <Button look="danger" onClick={() => save(null)}>
            {says.removeWebhook}
          </Button>
        )}
      </div>
    </form>
  );
}
