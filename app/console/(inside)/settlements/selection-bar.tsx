import { Copy, Download } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { useTranslations } from "../../_words/words.ts";
import { SELECTION_BAR } from "./words.ts";

type SelectionBarProps = { ids: readonly string[]; onExport: () => void; onClear: () => void };

/** The actions on the selected rows. */
export function SelectionBar({ ids, onExport, onClear }: SelectionBarProps) {
  const t = useTranslations(SELECTION_BAR);
  const toast = useToast();
  const copy = () => void navigator.clipboard.writeText(ids.join("\n")).then(() => toast(t.copied, t.settlementIds(ids.length)));
  return (
    <div className="view-bar" role="status">
      <strong>{t.selected(ids.length)}</strong>
      <Button icon={Copy} onClick={copy}>
        {t.copyIds}
      </Button>
      <Button icon={Download} onClick={onExport}>
        {t.exportSelected}
      </Button>
      <Button look="quiet" onClick={onClear}>
        {t.clearSelection}
      </Button>
    </div>
  );
}
