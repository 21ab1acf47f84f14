import { useForm } from "react-hook-form";
import { EVENT_OBJECTS, type EventObject } from "#domain/event.ts";
import { DESTINATION_TYPES, type DestinationType } from "#domain/event-destination.ts";
import { boundTo, Select, TextField } from "../../../_components/controls/field.tsx";
import { DialogButtons } from "../../../_components/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../../_components/dialogs/dialog.tsx";
import type { OneTimeSecret } from "../../../_components/dialogs/secret-once.tsx";
import { Refused, useConfirmedMutation } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { CREATE_DESTINATION, DESTINATIONS } from "./words.ts";

type Props = { onClose: () => void; onIssued: (secret: OneTimeSecret) => void };

/** Where events are to go, and which. Its secret is shown once. */
export function CreateDestinationDialog(props: Props) {
  const t = useTranslations(CREATE_DESTINATION);
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()} title={t.title}>
      <CreateDestination {...props} />
    </Dialog>
  );
}

type Form = { type: DestinationType; url: string; objects: EventObject[]; description: string };

function CreateDestination({ onClose, onIssued }: Props) {
  const t = useTranslations(CREATE_DESTINATION);
  const { kinds } = useTranslations(DESTINATIONS);
  const client = useTRPCClient();
  const mutation = useConfirmedMutation();
  const form = useForm<Form>({
    mode: "onTouched",
    defaultValues: { type: "webhook", url: "", objects: [...EVENT_OBJECTS], description: "" },
  });
  const { register, handleSubmit, watch } = form;
  const field = boundTo(form);
  const submit = handleSubmit(async ({ type, url, objects, description }) => {
    const input = { type, url: url.trim(), types: objects.map((object) => `${object}.*`), description: description.trim() };
    await mutation.run(
      () => client.eventDestinations.create.mutate(input),
      ({ secret }, hasLeft) => {
        onIssued({
          title: t.created,
          values: [{ label: t.secret, variable: "EVENTS_SECRET", value: secret }],
          file: "event-destination",
        });
        if (!hasLeft) onClose();
      },
    );
  });
  const { objects: noObject } = form.formState.errors;
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {mutation.error !== null && <Refused error={mutation.error} />}
      <Select label={t.type} choices={DESTINATION_TYPES.map((value) => ({ value, label: kinds[value] }))} {...field("type")} />
      <TextField
        label={t.url}
        hint={t.hints[watch("type")]}
        maxLength={2_048}
        translate="no"
        {...field("url", { validate: (text) => text.trim() !== "" || t.urlWanted })}
      />
      <fieldset className="reasons scope-choice">
        <legend className="field-label">{t.events}</legend>
        {EVENT_OBJECTS.map((object) => (
          <label key={object} className="check">
            <input type="checkbox" value={object} {...register("objects", { validate: (chosen) => chosen.length > 0 || t.chooseOne })} />
            <span>
              {t.objects[object]}{" "}
              <code className="muted" translate="no">
                {object}.*
              </code>
            </span>
          </label>
        ))}
        {noObject && (
          <p className="field-error" role="alert">
            {noObject.message}
          </p>
        )}
      </fieldset>
      <TextField label={t.description} hint={t.descriptionHint} maxLength={256} {...field("description")} />
      <DialogButtons onCancel={onClose} pending={mutation.pending}>
        {t.create}
      </DialogButtons>
    </form>
  );
}
