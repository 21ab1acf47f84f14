"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef } from "react";
import { IconButton } from "./button.tsx";
import type { DialogProps } from "./dialog.tsx";

/** See `Dialog`. */
export function LoadedDialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  shape = "dialog",
  width = "regular",
  returnFocus,
  firstFocus,
  busy = false,
}: DialogProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    // A click beside it does not close what is being decided or filled in: the second half of a double click would.
    <Base.Root open={open} onOpenChange={(next) => !busy && onOpenChange(next)} disablePointerDismissal={shape === "dialog"}>
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" />
        <Base.Viewport className="dialog-viewport" data-shape={shape}>
          <Base.Popup
            className="dialog"
            data-shape={shape}
            data-width={width}
            initialFocus={firstFocus ?? heading}
            {...(returnFocus && { finalFocus: () => giveFocus(returnFocus) })}
          >
            <header className="dialog-header">
              <Base.Title ref={heading} tabIndex={-1} className="dialog-title">
                {title}
              </Base.Title>
              <IconButton label="Close" icon={X} onClick={() => onOpenChange(false)} disabled={busy} />
            </header>
            <div className="dialog-body">
              {description && <Base.Description className="dialog-description">{description}</Base.Description>}
              {children}
            </div>
            {actions && <footer className="dialog-actions">{actions}</footer>}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** To that very element: Base UI would look for the first field within it. True, if it is not there: Base UI chooses. */
function giveFocus(to: NonNullable<DialogProps["returnFocus"]>): boolean {
  const element = typeof to === "function" ? to() : to.current;
  queueMicrotask(() => element?.focus({ preventScroll: true }));
  return element === null;
}
