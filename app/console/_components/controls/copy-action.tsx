"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

/** A button with words that copies, and says so for a moment at the same width. */
export function CopyAction({ text, children, disabled = false }: { text: string; children: string; disabled?: boolean }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <>
      <Button
        icon={copied ? Check : Copy}
        disabled={disabled}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        {children}
      </Button>
      <span className="sr-only" role="status">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}
