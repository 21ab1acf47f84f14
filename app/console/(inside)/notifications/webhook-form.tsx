import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";

/** Whoever knows the address can write there: it is told to the service, and not told back. */
export function WebhookForm({ host, onSaved }: { host: string | null; onSaved: () => void }) {
  const { notifications } = useTRPCClient();
  const toast = useToast();
  const saving = useDeed();
  const [url, setUrl] = useState("");
  const save = (next: string | null) =>
    void saving.run(
      () => notifications.setWebhook.mutate({ url: next }),
      () => {
        toast(
          next === null ? "Webhook removed" : "Webhook saved",
          next === null ? "Nothing is posted there any more." : "Choose above what is posted there.",
        );
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
        label={host === null ? "Address of the webhook" : `Another address in place of the one at ${host}`}
        type="url"
        autoComplete="off"
        spellCheck={false}
        hint="Slack's form, which other chats take too. It is kept sealed and not shown again."
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <div className="button-row">
        <Button type="submit" look="primary" disabled={url.trim() === ""} pending={saving.pending}>
          Save the webhook
        </Button>
        {host !== null && (
          <Button look="danger" onClick={() => save(null)}>
            Remove the webhook
          </Button>
        )}
      </div>
    </form>
  );
}
