import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ViewParams } from "#domain/settlement-view.ts";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { DeedDialog } from "../../_components/dialogs/deed-dialog.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import type { SavedView } from "./shipped-views.ts";

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
    toast(deletes ? "View deleted" : "View saved", name);
    onKept(id);
  };
  return (
    <DeedDialog
      title={{ keep: "Save this list as a view", change: "Save view", delete: `Delete “${view?.name}”?` }[deed]}
      ready={deletes || name !== ""}
      button={deletes ? "Delete" : "Save"}
      isDanger={deletes}
      deed={commitAndRead}
      {...{ onDone, onClose }}
    >
      {deletes ? (
        <p>{view?.shared ? "Your colleagues lose it as well." : "Nobody else sees it."} The settlements stay.</p>
      ) : (
        <>
          <TextField label="Name" value={typed} maxLength={60} required onChange={({ target }) => setTyped(target.value)} />
          <label className="check">
            <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
            Share with everybody of my organisation
          </label>
        </>
      )}
    </DeedDialog>
  );
}
