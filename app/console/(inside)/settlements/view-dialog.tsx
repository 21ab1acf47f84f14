import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ViewParams } from "#domain/settlement-view.ts";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import type { SavedView } from "./shipped-views.ts";
import { VIEW_DIALOG } from "./words.ts";

type ViewDialogProps = {
  deed: "keep" | "change" | "delete";
  /** The one that is changed or deleted, with what it is to show. */
  view?: SavedView;
  /** What the list shows now. */
  params: ViewParams;
  onClose: () => void;
  onKept: (id: string | null) => void;
};

/** Keeps, changes or deletes one of the person's own views. */
export function ViewDialog({ deed, view, params, onClose, onKept }: ViewDialogProps) {
  const says = useWords(VIEW_DIALOG);
  const trpc = useTRPC();
  const { savedViews } = useTRPCClient();
  const queries = useQueryClient();
  const toast = useToast();
  const [typed, setTyped] = useState(view?.name ?? "");
  const [shared, setShared] = useState(view?.shared ?? false);
  const deletes = deed === "delete";
  const name = typed.trim();
  const commit = async (): Promise<string | null> => {
    if (view === undefined) return (await savedViews.create.mutate({ name, shared, params })).id;
    if (deletes) await savedViews.delete.mutate({ id: view.id });
    else await savedViews.update.mutate({ id: view.id, name, shared, params: view.params });
    return deletes ? null : view.id;
  };
  /** Answers the id of the view that is there now, once the list knows it. */
  const commitAndRead = async () => {
    const id = await commit();
    await queries.invalidateQueries({ queryKey: trpc.savedViews.list.queryKey() });
    return id;
  };
  const onDone = (id: string | null) => {
    toast(deletes ? says.viewDeleted : says.viewSaved, name);
    onKept(id);
  };
  return (
    <DeedDialog
      title={{ keep: says.saveListAs, change: says.saveView, delete: says.deleteWord(view?.name) }[deed]}
      ready={deletes || name !== ""}
      button={deletes ? says.deleteWord2 : says.save}
      isDanger={deletes}
      deed={commitAndRead}
      {...{ onDone, onClose }}
    >
      {deletes ? (
        <p>{says.settlementsStay(view?.shared)}</p>
      ) : (
        <>
          <TextField label={says.name} value={typed} maxLength={60} required onChange={({ target }) => setTyped(target.value)} />
          <label className="check">
            <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
            {says.shareWithEverybody}
          </label>
        </>
      )}
    </DeedDialog>
  );
}
