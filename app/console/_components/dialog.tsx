"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { IconButton } from "./button.tsx";

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** The buttons, the committing one last. */
  actions?: ReactNode;
  /** `drawer`: along the right edge, for what is long. */
  shape?: "dialog" | "drawer";
  width?: "regular" | "wide";
  /** Where focus goes when it closes; left out: back to what opened it. */
  returnFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
  /** What focus begins at; left out: the heading. Never a button that commits to something. */
  firstFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
  /** While true, neither Escape nor a click beside it closes it. */
  busy?: boolean;
};

/** Keeps focus inside while open and gives it back. It begins at the heading, never at a button that commits to something. */
export function Dialog({
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
            {...(returnFocus === undefined ? {} : { finalFocus: returnFocus })}
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
