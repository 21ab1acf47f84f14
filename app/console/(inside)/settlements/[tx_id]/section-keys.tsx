import { useShortcut } from "../../../_components/frame/shortcuts.tsx";

/** Jumps to the parts of the page. */
export function SectionKeys() {
  useShortcut("t", "To the timeline", () => jump("[aria-label='Timeline']"));
  useShortcut("c", "To the callbacks", () => jump("[aria-label='Callbacks']"));
  useShortcut("l", "To the API activity", () => jump("[aria-label='API activity']"));
  useShortcut("v", "To what the partner sees", () => jump("[aria-label='What the partner sees']"));
  return null;
}

function jump(selector: string): void {
  const part = document.querySelector<HTMLElement>(`main ${selector}`);
  if (part === null) return;
  part.tabIndex = -1;
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}
