"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ViewParams } from "#domain/settlement-view.ts";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Refused } from "../../_components/dialogs/refused.tsx";
import { useTRPC } from "../../_trpc/client.ts";
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
  const queries = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState(view?.name ?? "");
  const [shared, setShared] = useState(view?.shared ?? false);
  const done = async (title: string, id: string | null) => {
    await queries.invalidateQueries({ queryKey: trpc.savedViews.list.queryKey() });
    toast(title, name.trim());
    onKept(id);
    onClose();
  };
  const keep = useMutation(trpc.savedViews.create.mutationOptions({ onSuccess: ({ id }) => done("View saved", id) }));
  const change = useMutation(trpc.savedViews.update.mutationOptions({ onSuccess: () => done("View saved", view?.id ?? null) }));
  const remove = useMutation(trpc.savedViews.delete.mutationOptions({ onSuccess: () => done("View deleted", null) }));
  const doing = { keep, change, delete: remove }[deed];
  const commit = () => {
    if (deed === "keep") keep.mutate({ name: name.trim(), shared, params });
    else if (view && deed === "change") change.mutate({ id: view.id, name: name.trim(), shared, params: view.params });
    else if (view) remove.mutate({ id: view.id });
  };
  const title = { keep: "Save this list as a view", change: "Save view", delete: `Delete “${view?.name}”?` }[deed];
  const formId = "saved-view";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      busy={doing.isPending}
      actions={
        <>
          <Button onClick={onClose} disabled={doing.isPending}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            look={deed === "delete" ? "danger" : "primary"}
            pending={doing.isPending}
            disabled={deed !== "delete" && name.trim() === ""}
          >
            {deed === "delete" ? "Delete" : "Save"}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          commit();
        }}
      >
        {deed === "delete" ? (
          <p>{view?.shared ? "Your colleagues lose it as well." : "Nobody else sees it."} The settlements stay.</p>
        ) : (
          <>
            <TextField label="Name" value={name} maxLength={60} required onChange={({ target }) => setName(target.value)} />
            <label className="check">
              <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
              Share with everybody of my organisation
            </label>
          </>
        )}
        {doing.error && <Refused error={doing.error} />}
      </form>
    </Dialog>
  );
}
