import { Copy, Download } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";

type SelectionBarProps = { ids: readonly string[]; onExport: () => void; onClear: () => void };

/** What may be done with the selected rows. */
export function SelectionBar({ ids, onExport, onClear }: SelectionBarProps) {
  const toast = useToast();
  const copy = () => void navigator.clipboard.writeText(ids.join("\n")).then(() => toast("Copied", `${ids.length} settlement ids`));
  return (
    <div className="view-bar" role="status">
      <strong>{ids.length} selected</strong>
      <Button icon={Copy} onClick={copy}>
        Copy ids
      </Button>
      <Button icon={Download} onClick={onExport}>
        Export selected
      </Button>
      <Button look="quiet" onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
