import { usePathname } from "next/navigation";
import { useEffect } from "react";

type Visited = { href: string; title: string };

/** Of this tab alone, and gone with it: where somebody was is no one else's business. */
const KEPT = "recent pages";
const MOST = 6;

/** The pages that were looked at last in this tab, the newest first, without the one that is open. */
export function readRecent(): Visited[] {
  return readKept().filter(({ href }) => href !== window.location.pathname);
}

/** Notes each page once it has its title. */
export function useNoteRecent(): void {
  const path = usePathname();
  useEffect(() => {
    const timer = setTimeout(() => {
      const title = document.title.replace(/ · Console$/, "");
      const others = readKept().filter(({ href }) => href !== path);
      window.sessionStorage.setItem(KEPT, JSON.stringify([{ href: path, title }, ...others].slice(0, MOST + 1)));
    }, 500);
    return () => clearTimeout(timer);
  }, [path]);
}

function readKept(): Visited[] {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isVisited) : [];
  } catch {
    return [];
  }
}

function isVisited(value: unknown): value is Visited {
  if (typeof value !== "object" || value === null || !("href" in value) || !("title" in value)) return false;
  return typeof value.href === "string" && value.href.startsWith("/console") && typeof value.title === "string";
}
