import { Download } from "lucide-react";
import { useRef } from "react";
import { useShortcut } from "#app/console/_components/frame/shortcuts.tsx";
import { SHARED } from "../../_words/shared.ts";
import { useTranslations } from "../../_words/words.ts";

/** The list, all pages of it, as a CSV file. */
export function ExportLink({ path, input }: { path: string; input: object }) {
  const t = useTranslations(SHARED);
  const link = useRef<HTMLAnchorElement>(null);
  useShortcut("e", t.exportList, () => link.current?.click());
  return (
    <a
      ref={link}
      href={`${path}?${new URLSearchParams({ input: JSON.stringify(input) })}`}
      className="button"
      aria-keyshortcuts="e"
      download
    >
      <Download aria-hidden size={16} />
      <span className="button-label">{t.export}</span>
    </a>
  );
}
