import { Copy, Download } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Announcement } from "../../_components/frame/page-parts.tsx";
import { download } from "../../_format/download.ts";
import { useTranslations } from "../../_words/words.ts";
import { RECOVERY_CODES } from "./words.ts";

/**
 * Recovery codes, shown only once. They live only in this component's state. Closing or leaving the page without copying or downloading
 * them asks first.
 */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  const t = useTranslations(RECOVERY_CODES);
  const [taken, setTaken] = useState(false);
  const [warned, setWarned] = useState(false);
  const isOpen = codes !== null;
  useEffect(() => {
    if (isOpen) return;
    setTaken(false);
    setWarned(false);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen || taken) return;
    const guard = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", guard);
    return () => window.removeEventListener("beforeunload", guard);
  }, [isOpen, taken]);
  const text = codes?.join("\n") ?? "";
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && (taken || warned ? onClose() : setWarned(true))}
      title={t.title}
      description={t.explanation}
      actions={
        warned && !taken ? (
          <>
            <p className="note codes-warning" data-kind="danger" role="alert">
              {t.notTaken}
            </p>
            <Button look="danger" onClick={onClose}>
              {t.closeAnyway}
            </Button>
          </>
        ) : (
          <Button look="primary" disabled={!taken} onClick={onClose}>
            {t.done}
          </Button>
        )
      }
    >
      <ol className="recovery-codes" aria-label={t.label}>
        {codes?.map((code) => (
          <li key={code}>
            <code translate="no">{code}</code>
          </li>
        ))}
      </ol>
      <div className="form-buttons">
        <Button icon={Copy} onClick={() => void navigator.clipboard.writeText(text).then(() => setTaken(true))}>
          {t.copyAll}
        </Button>
        <Button
          icon={Download}
          onClick={() => {
            download("recovery-codes.txt", [`${text}\n`]);
            setTaken(true);
          }}
        >
          {t.download}
        </Button>
        <Announcement>{taken ? t.taken : ""}</Announcement>
      </div>
    </Dialog>
  );
}
