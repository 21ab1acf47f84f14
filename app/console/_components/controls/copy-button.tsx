"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";

/** Copies the text as it is, and says so for a moment. A function is asked for it when it is wanted. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => void navigator.clipboard.writeText(typeof text === "string" ? text : text()).then(() => setCopied(true));
  return (
    <>
      <IconButton label={copied ? "Copied" : label} icon={copied ? Check : Copy} onClick={copy} />
      <span className="sr-only" role="status">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}
