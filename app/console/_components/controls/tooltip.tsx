import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";

/** Delays before it shows and hides. Within the latter, the pointer may move into it. */
const SHOW_MS = 300;
const GO_MS = 120;
const GAP = 6;

type Handlers = {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: () => void;
  onPointerDown?: () => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  onBlur?: () => void;
};

/** A hint for a hovered or focused element. It may repeat or add, but never be the only place of something important. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement<Handlers> }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const become = (next: HTMLElement | null, after: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(next), after);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const trigger = cloneElement(children, {
    onPointerEnter: ({ currentTarget, pointerType }) => pointerType !== "touch" && become(currentTarget, SHOW_MS),
    onPointerLeave: () => become(null, GO_MS),
    onPointerDown: () => become(null, 0),
    onFocus: ({ currentTarget }) => currentTarget.matches(":focus-visible") && become(currentTarget, 0),
    onBlur: () => become(null, 0),
  });
  return (
    <>
      {trigger}
      {anchor && (
        <Remark anchor={anchor} onEnter={() => clearTimeout(timer.current)} onGo={(after) => become(null, after)}>
          {text}
        </Remark>
      )}
    </>
  );
}

type RemarkProps = { anchor: HTMLElement; onEnter: () => void; onGo: (after: number) => void; children: ReactNode };

function Remark({ anchor, onEnter, onGo, children }: RemarkProps) {
  const box = useRef<HTMLDivElement>(null);
  const go = useRef(onGo);
  go.current = onGo;
  useLayoutEffect(() => {
    if (box.current) place(box.current, anchor);
  }, [anchor]);
  useEffect(() => {
    const end = () => go.current(0);
    const byKey = ({ key }: KeyboardEvent) => key === "Escape" && end();
    document.addEventListener("keydown", byKey);
    window.addEventListener("scroll", end, { capture: true, passive: true });
    return () => {
      document.removeEventListener("keydown", byKey);
      window.removeEventListener("scroll", end, { capture: true });
    };
  }, []);
  return createPortal(
    <div ref={box} className="tooltip floating" role="tooltip" onPointerEnter={onEnter} onPointerLeave={() => onGo(GO_MS)}>
      {children}
    </div>,
    document.body,
  );
}

/** Above its target, below it if there is no space, and always within the viewport. */
function place(box: HTMLElement, anchor: HTMLElement): void {
  const [at, own] = [anchor.getBoundingClientRect(), box.getBoundingClientRect()];
  const middle = at.left + at.width / 2 - own.width / 2;
  const furthest = document.documentElement.clientWidth - own.width - GAP;
  const above = at.top - own.height - GAP;
  box.style.left = `${Math.max(GAP, Math.min(middle, furthest))}px`;
  box.style.top = `${above >= GAP ? above : at.bottom + GAP}px`;
}
