import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ViewParams } from "#domain/settlement-view.ts";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../_components/dialogs/confirm-dialog.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { SavedView } from "./shipped-views.ts";
import { VIEW_DIALOG } from "./words.ts";

type ViewDialogProps = {
  mutation: "keep" | "change" | "delete";
  /** The view to change or delete, with its new content. */
  view?: SavedView;
  /** The list's present state. */
  params: ViewParams;
  onClose: () => void;
  onKept: (id: string | null) => void;
};

/** Saves, changes or deletes one of the user's own views. */
export function ViewDialog({ mutation, view, params, onClose, onKept }: ViewDialogProps) {
  const t = useTranslations(VIEW_DIALOG);
  const trpc = useTRPC();
  const { savedViews } = useTRPCClient();
  const queries = useQueryClient();
  const toast = useToast();
  const [typed, setTyped] = useState(view?.name ?? "");
  const [shared, setShared] = useState(view?.shared ?? false);
  const deletes = mutation === "delete";
  const name = typed.trim();
  const commit = async (): Promise<string | null> => {
    if (view === undefined) return (await savedViews.create.mutate({ name, shared, params })).id;
    if (deletes) await savedViews.delete.mutate({ id: view.id });
    else await savedViews.update.mutate({ id: view.id, name, shared, params: view.params });
    return deletes ? null : view.id;
  };
  /** Returns the id of the new view, once the list has it. */
  const commitAndRead = async () => {
    const id = await commit();
    await queries.invalidateQueries({ queryKey: trpc.savedViews.list.queryKey() });
    return id;
  };
  const onDone = (id: string | null) => {
    toast(deletes ? t.viewDeleted : t.viewSaved, name);
    onKept(id);
  };
  return (
    <ConfirmDialog
      title={{ keep: t.saveAs, change: t.saveView, delete: t.deleteTitle(view?.name) }[mutation]}
      ready={deletes || name !== ""}
      button={deletes ? t.delete : t.save}
      isDanger={deletes}
      mutation={commitAndRead}
      onDone={onDone}
      onClose={onClose}
    >
      {deletes ? (
        <p>{t.deleteMeans(view?.shared)}</p>
      ) : (
        <>
          <TextField label={t.name} value={typed} maxLength={60} required onChange={({ target }) => setTyped(target.value)} />
          <label className="check">
            <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
            {t.share}
          </label>
        </>
      )}
    </ConfirmDialog>
  );
}
