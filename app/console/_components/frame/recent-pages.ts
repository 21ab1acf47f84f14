import { usePathname } from "next/navigation";
import { useEffect } from "react";

type Visited = { href: string; title: string };

/** Only in this tab, and gone when it closes: nobody else should see where somebody was. */
const KEPT = "recent pages";
const MOST = 12;

/** The pages visited last in this tab, newest first, without the current one. */
export function readRecent(): Visited[] {
  return readKept().filter(({ href }) => href !== window.location.pathname);
}

/** Records each page once it has its title. */
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
