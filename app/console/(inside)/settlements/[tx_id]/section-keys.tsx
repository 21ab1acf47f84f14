import { useShortcut } from "../../../_components/frame/shortcuts.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { SECTION_KEYS } from "./words.ts";

/** Shortcuts to the parts of the page. */
export function SectionKeys() {
  const t = useTranslations(SECTION_KEYS);
  useShortcut("t", t.timeline, () => jump("[aria-label='Timeline']"));
  useShortcut("c", t.callbacks, () => jump("[aria-label='Callbacks']"));
  useShortcut("l", t.apiActivity, () => jump("[aria-label='API activity']"));
  useShortcut("v", t.partnerView, () => jump("[aria-label='What the partner sees']"));
  return null;
}

function jump(selector: string): void {
  const part = document.querySelector<HTMLElement>(`main ${selector}`);
  if (part === null) return;
  part.tabIndex = -1;
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}
