import { createContext, useContext, useEffect, useState } from "react";
import { lazyComponent } from "#app/console/_components/controls/lazy-component.tsx";
import type { LoadedDialogProps } from "./loaded-dialog.tsx";
import { useModal } from "./modals.ts";

const LoadedDialog = lazyComponent(() => import("./loaded-dialog.tsx").then(({ LoadedDialog: Loaded }) => Loaded));
const BusyContext = createContext<(busy: boolean) => void>(() => {});

/**
 * Traps the focus while open and restores it on close. The focus starts at the heading, never at a button that commits to something. The
 * dialog's code is loaded when the first one opens.
 */
export function Dialog(props: Omit<LoadedDialogProps, "busy" | "isCovered">) {
  const [busy, setBusy] = useState(false);
  const isCovered = useModal(props.open);
  return (
    <BusyContext value={setBusy}>
      <LoadedDialog {...props} busy={busy} isCovered={isCovered} />
    </BusyContext>
  );
}

/** Lets the enclosing dialog, if any, know that work is in progress: a click outside a drawer then does not close it. */
export function useBusy(busy: boolean): void {
  const setDialogBusy = useContext(BusyContext);
  useEffect(() => {
    if (!busy) return;
    setDialogBusy(true);
    return () => setDialogBusy(false);
  }, [busy, setDialogBusy]);
}
