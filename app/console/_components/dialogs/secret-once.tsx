import { Download } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { CodeScroll } from "#app/console/_components/controls/code-block.tsx";
import { Tabs } from "#app/console/_components/controls/tabs.tsx";
import { download } from "../../_format/download.ts";
import { useTranslations } from "../../_words/words.ts";
import { Dialog } from "./dialog.tsx";
import { SECRET_ONCE } from "./loaded-words.ts";

/** A secret that the service shows only once. It lives only in component state, never in a cache or storage. */
export type OneTimeSecret = {
  /** `Key “Shop” created`. */
  title: string;
  /** The secrets, each with its environment variable: `API_KEY`, `API_SECRET`. */
  values: readonly { label: string; variable: string; value: string }[];
  /** A first use. It reads the variables, so that no secret ends up in a shell's history. */
  curl?: string;
  /** The name of the downloaded `.env`, without its extension. */
  file: string;
};

/**
 * Shows a secret once. Closing it or leaving the page without copying, downloading or confirming asks first. On close the caller forgets
 * the secret: `onClose` sets it to null.
 */
export function SecretOnce({ secret, onClose }: { secret: OneTimeSecret | null; onClose: () => void }) {
  const t = useTranslations(SECRET_ONCE);
  const [taken, setTaken] = useState(false);
  const [stored, setStored] = useState(false);
  const [warned, setWarned] = useState(false);
  const isOpen = secret !== null;
  useEffect(() => {
    if (isOpen) return;
    setTaken(false);
    setStored(false);
    setWarned(false);
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen || stored) return;
    const guard = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", guard);
    return () => window.removeEventListener("beforeunload", guard);
  }, [isOpen, stored]);
  const close = () => (taken || stored || warned ? onClose() : setWarned(true));
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(next) => !next && close()}
      title={secret?.title ?? ""}
      width="wide"
      description={t.shownOnce}
      actions={
        <>
          {warned && !taken && !stored && (
            <p className="note secret-warning" data-kind="danger" role="alert">
              {t.notSaved}
            </p>
          )}
          {warned && !taken && !stored && (
            <Button look="danger" onClick={onClose}>
              {t.closeAnyway}
            </Button>
          )}
          <Button look="primary" disabled={!stored} onClick={onClose}>
            {t.done}
          </Button>
        </>
      }
    >
      {secret && <Shown secret={secret} onTaken={() => setTaken(true)} />}
      {secret && (
        <label className="check">
          <input type="checkbox" checked={stored} onChange={({ target }) => setStored(target.checked)} />
          {t.stored}
        </label>
      )}
    </Dialog>
  );
}

function Shown({ secret, onTaken }: { secret: OneTimeSecret; onTaken: () => void }) {
  const t = useTranslations(SECRET_ONCE);
  const env = secret.values.map(({ variable, value }) => `${variable}=${value}`).join("\n");
  const tabs = [
    {
      value: "values",
      label: t.values,
      content: (
        <dl className="secret-values">
          {secret.values.map(({ label, variable, value }) => (
            <div key={variable}>
              <dt>{label}</dt>
              <dd>
                <code>{value}</code>
                <Take text={value} onTaken={onTaken} what={label.toLowerCase()}>
                  {t.copyNow}
                </Take>
              </dd>
            </div>
          ))}
        </dl>
      ),
    },
    { value: "env", label: ".env", content: <Block text={env} label=".env" onTaken={onTaken} /> },
    ...(secret.curl === undefined
      ? []
      : [{ value: "curl", label: t.signedCurl, content: <Block text={secret.curl} label={t.signedCurl} onTaken={() => {}} /> }]),
  ];
  return (
    <>
      <Tabs tabs={tabs} label={t.formats} />
      <Button
        icon={Download}
        onClick={() => {
          download(`${secret.file}.env`, [`${env}\n`]);
          onTaken();
        }}
      >
        {t.downloadEnv}
      </Button>
    </>
  );
}

function Block({ text, label, onTaken }: { text: string; label: string; onTaken: () => void }) {
  const t = useTranslations(SECRET_ONCE);
  return (
    <div className="secret-block">
      <CodeScroll text={text} label={label} />
      <Take text={text} onTaken={onTaken} what={label}>
        {t.copyNow}
      </Take>
    </div>
  );
}

/** Only counts as saved when the clipboard really has it. */
function Take({ text, what, onTaken, children }: { text: string; what: string; onTaken: () => void; children: ReactNode }) {
  const t = useTranslations(SECRET_ONCE);
  const [copied, setCopied] = useState(false);
  const [failed, setFailed] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      onTaken();
    } catch {
      setFailed(true);
    }
  };
  return (
    <>
      <Button onClick={() => void copy()} aria-label={copied ? t.copiedLabel(what) : t.copy(what)}>
        {copied ? t.copied : children}
      </Button>
      {failed && <span className="field-error">{t.copyingBlocked}</span>}
    </>
  );
}
