import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";
import { useTranslations } from "../../_words/words.ts";
import { Button } from "./button.tsx";
import { ON_DEMAND } from "./words.ts";

type State<Props> = { Part: ComponentType<Props> } | "failed" | null;

/** Loads, each once, the parts that the visible page may need and does not have yet. */
const ahead = new Set<() => Promise<void>>();

/**
 * A part of a page that is loaded on demand: by a click or a key. It loads when it is first rendered (or first opened, if it takes `open`),
 * or earlier once the user is active (`useLoadAhead`). Until then nothing shows, or `Waiting` if it has a fixed place. If loading fails, it
 * shows an error and the page stays as it is. The error stays until somebody presses its retry.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting?: ComponentType,
): ComponentType<Props> {
  let state: State<Props> = null;
  let underWay: Promise<void> | null = null;
  const listeners = new Set<() => void>();
  const become = (next: State<Props>) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const bring = async (): Promise<void> => {
    if (state !== null && state !== "failed") return;
    if (state === "failed") become(null);
    underWay ??= load()
      .then(
        (Part) => become({ Part }),
        // Preloading failed and nobody needs it yet: it is tried again on demand.
        () => listeners.size > 0 && become("failed"),
      )
      .then(() => {
        underWay = null;
      });
    await underWay;
  };
  const listen = (listener: () => void) => {
    listeners.add(listener);
    void bring();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && state === "failed") state = null;
    };
  };
  // Preloading leaves a visible error alone: the user decides when to retry.
  if (typeof window !== "undefined") ahead.add(async () => (state === "failed" ? undefined : bring()));

  function Wanted(props: Props) {
    const known = useSyncExternalStore<State<Props>>(
      listen,
      () => state,
      () => null,
    );
    if (known === "failed") return <NotLoaded again={() => void bring()} close={closerOf(props)} inPlace={Waiting !== undefined} />;
    if (known === null) return Waiting ? <Waiting /> : null;
    return <known.Part {...props} />;
  }

  return function OnDemand(props: Props) {
    const isOpen = !("open" in props) || props.open === true;
    const [wanted, setWanted] = useState(isOpen);
    if (isOpen && !wanted) setWanted(true);
    return wanted ? <Wanted {...props} /> : null;
  };
}

/** Cancels the request. */
function closerOf(props: object): (() => void) | null {
  const { onClose, onOpenChange } = props as { onClose?: unknown; onOpenChange?: unknown };
  if (typeof onClose === "function") return () => onClose();
  return typeof onOpenChange === "function" ? () => onOpenChange(false) : null;
}

type NotLoadedProps = { again: () => void; close: (() => void) | null; inPlace: boolean };

function NotLoaded({ again, close, inPlace }: NotLoadedProps) {
  const t = useTranslations(ON_DEMAND);
  return (
    <div className="not-loaded" role="alert" data-in-place={inPlace || undefined}>
      <p>
        <strong>{t.notLoaded}</strong> {t.cause}
      </p>
      <p className="not-loaded-buttons">
        <Button look="primary" onClick={again}>
          {t.retry}
        </Button>
        <Button onClick={() => window.location.reload()}>{t.reload}</Button>
        {close && <Button onClick={close}>{t.close}</Button>}
      </p>
    </div>
  );
}

const SIGNS_OF_LIFE = ["pointermove", "pointerdown", "keydown"] as const;

/** After the first user activity, preloads what the page may need, one part at a time while the browser is idle. */
export function useLoadAhead(): void {
  useEffect(() => {
    let busy = false;
    const next = () => {
      const [bring] = ahead;
      busy = bring !== undefined;
      if (bring === undefined) return;
      ahead.delete(bring);
      whenIdle(() => void bring().then(next));
    };
    const begin = () => !busy && next();
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, begin, { passive: true });
    return () => {
      for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, begin);
    };
  }, []);
}

/** Not every browser reports idle time. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) window.requestIdleCallback(work);
  else setTimeout(work, 200);
}
