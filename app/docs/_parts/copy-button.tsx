"use client";

import { useEffect, useState } from "react";

const SHOWN_MS = 2_000;

/** Copies the text of its figure, and says so in its name. Where the browser forbids copying, it selects the text instead. */
export function CopyButton({ what }: { what: string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (button: HTMLElement) => {
    const text = button.closest("figure")?.querySelector("pre");
    if (!text) return;
    try {
      await navigator.clipboard.writeText(text.textContent);
      setSaid("Copied");
    } catch {
      getSelection()?.selectAllChildren(text);
      setSaid("Selected");
    }
  };
  return (
    <button
      type="button"
      className="copy"
      aria-label={`${said || "Copy"}: ${what}`}
      onClick={({ currentTarget }) => void copy(currentTarget)}
    >
      {said || "Copy"}
    </button>
  );
}
