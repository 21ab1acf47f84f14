import { X } from "lucide-react";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslations } from "../../_words/words.ts";
import { IconButton } from "./button.tsx";
import { TOAST } from "./words.ts";

type Note = { id: number; title: string; description: string | undefined };
type ShowToast = (title: string, description?: string) => void;

const SHOWN_MS = 6_000;
/** The time of its exit animation. */
const GOING_MS = 120;
const MOST = 3;

const ToastContext = createContext<ShowToast | null>(null);

/** Confirms briefly that something was done. Errors stay where they happened. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [notes, setNotes] = useState<readonly Note[]>([]);
  const last = useRef(0);
  const showToast = useCallback<ShowToast>((title, description) => {
    last.current += 1;
    const note = { id: last.current, title, description };
    setNotes((before) => [note, ...before].slice(0, MOST));
  }, []);
  const forget = useCallback((id: number) => setNotes((before) => before.filter((note) => note.id !== id)), []);
  return (
    <ToastContext.Provider value={showToast}>
      {children}
      <Toasts notes={notes} onGone={forget} />
    </ToastContext.Provider>
  );
}

/** Outside the page, so that it is visible and announced over a dialog too. F6 moves the focus there; a hovered or focused toast stays. */
function Toasts({ notes, onGone }: { notes: readonly Note[]; onGone: (id: number) => void }) {
  const t = useTranslations(TOAST);
  const [body, setBody] = useState<HTMLElement | null>(null);
  const [isHeld, setHeld] = useState(false);
  const region = useRef<HTMLElement>(null);
  const isEmpty = notes.length === 0;
  useEffect(() => setBody(document.body), []);
  useEffect(() => {
    if (isEmpty) return setHeld(false);
    const toNotes = (event: KeyboardEvent) => {
      if (event.key !== "F6") return;
      event.preventDefault();
      region.current?.focus();
    };
    document.addEventListener("keydown", toNotes);
    return () => document.removeEventListener("keydown", toNotes);
  }, [isEmpty]);
  if (body === null) return null;
  return createPortal(
    <section
      ref={region}
      className="toasts"
      aria-label={t.notifications}
      aria-live="polite"
      tabIndex={-1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setHeld(false)}
    >
      {notes.map((note) => (
        <Toast key={note.id} note={note} isHeld={isHeld} onGone={onGone} />
      ))}
    </section>,
    body,
  );
}

type ToastProps = { note: Note; isHeld: boolean; onGone: (id: number) => void };

function Toast({ note: { id, title, description }, isHeld, onGone }: ToastProps) {
  const t = useTranslations(TOAST);
  const [going, setGoing] = useState(false);
  useEffect(() => {
    if (isHeld && !going) return;
    const timer = setTimeout(() => (going ? onGone(id) : setGoing(true)), going ? GOING_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, going, id, onGone]);
  return (
    <div className="toast" data-ending-style={going || undefined}>
      <div className="toast-content">
        <div>
          <p className="toast-title">{title}</p>
          {description && <p className="toast-description">{description}</p>}
        </div>
        <IconButton label={t.dismiss} icon={X} onClick={() => setGoing(true)} />
      </div>
    </div>
  );
}

/** `toast("Approved", "tx_… for Acme")`: the title names the action, the rest its object. */
export function useToast(): ShowToast {
  const showToast = useContext(ToastContext);
  if (showToast === null) throw new Error("there is no ToastProvider around this");
  return showToast;
}
