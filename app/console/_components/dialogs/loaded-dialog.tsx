import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from "react";
import { IconButton } from "#app/console/_components/controls/button.tsx";
import { SHARED } from "../../_words/shared.ts";
import { useTranslations } from "../../_words/words.ts";

export type LoadedDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** The buttons, the committing one last. */
  actions?: ReactNode;
  /** `drawer`: along the right edge, for long content. */
  shape?: "dialog" | "drawer";
  width?: "regular" | "wide";
  /** Where the focus goes on close; default: back to the element that opened it. */
  returnFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
  /** The initial focus; default: the heading. Never a button that commits to something. */
  firstFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
  /**
   * Work is in progress: a click outside a drawer does not close it. Escape and the close button always do; the outcome is still reported.
   */
  busy: boolean;
  /** Whether a dialog that was opened later is open: a closing dialog leaves the focus to it. */
  isCovered: () => boolean;
  /** Default: true. A dialog that must be answered has no close button. */
  closable?: boolean;
  /** Hides everything behind it, including other dialogs. */
  veiled?: boolean;
};

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
  busy,
  isCovered,
  closable = true,
  veiled = false,
}: LoadedDialogProps) {
  const t = useTranslations(SHARED);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    // A click outside does not close a decision or a form: the second half of a double click would.
    <Base.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={shape === "dialog" || busy}>
      <Base.Portal>
        <Base.Backdrop className="dialog-backdrop" data-veiled={veiled || undefined} />
        <Base.Viewport className="dialog-viewport" data-shape={shape} data-veiled={veiled || undefined}>
          <Base.Popup
            className="dialog"
            data-shape={shape}
            data-width={width}
            initialFocus={firstFocus ?? heading}
            onKeyDown={commitByKey}
            finalFocus={() => !isCovered() && (returnFocus === undefined || giveFocus(returnFocus, isCovered))}
          >
            <header className="dialog-header">
              <Base.Title ref={heading} tabIndex={-1} className="dialog-title">
                {title}
              </Base.Title>
              {closable && <IconButton label={t.close} icon={X} onClick={() => onOpenChange(false)} />}
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

/** Ctrl or ⌘ with Enter presses the marked button, wherever in the dialog the focus is. */
function commitByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.repeat || event.defaultPrevented) return;
  const button = event.currentTarget.querySelector<HTMLButtonElement>('button[aria-keyshortcuts~="Control+Enter"]');
  if (button === null) return;
  event.preventDefault();
  button.click();
}

/** To exactly this element: Base UI would look for its first field. True if it is missing: Base UI chooses. */
function giveFocus(to: NonNullable<LoadedDialogProps["returnFocus"]>, isCovered: () => boolean): boolean {
  const element = typeof to === "function" ? to() : to.current;
  queueMicrotask(() => isCovered() || element?.focus({ preventScroll: true }));
  return element === null;
}
