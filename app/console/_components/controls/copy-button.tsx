import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Announcement } from "#app/console/_components/frame/page-parts.tsx";
import { SHARED } from "../../_words/shared.ts";
import { useTranslations } from "../../_words/words.ts";
import { Button, IconButton } from "./button.tsx";

/** Copies the text and confirms it for a moment. A function is called for the text on demand. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const t = useTranslations(SHARED);
  const { copied, copy } = useCopied();
  return (
    <>
      <IconButton
        label={copied ? t.copied : label}
        icon={copied ? Check : Copy}
        onClick={() => copy(typeof text === "string" ? text : text())}
      />
      <Announcement>{copied ? t.copied : ""}</Announcement>
    </>
  );
}

/** The same with a label, at a constant width. */
export function CopyAction({ text, children, disabled = false }: { text: string; children: string; disabled?: boolean }) {
  const t = useTranslations(SHARED);
  const { copied, copy } = useCopied();
  return (
    <>
      <Button icon={copied ? Check : Copy} disabled={disabled} onClick={() => copy(text)}>
        {children}
      </Button>
      <Announcement>{copied ? t.copied : ""}</Announcement>
    </>
  );
}

function useCopied() {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return { copied, copy: (text: string) => void navigator.clipboard.writeText(text).then(() => setCopied(true)) };
}
