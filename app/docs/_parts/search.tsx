"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { Found, IndexedPage, SearchIndex } from "./search-index.ts";

/** The index's URL. It is loaded when somebody starts to search. */
const INDEX = "/docs/search.json";

let asked: Promise<SearchIndex> | null = null;

/** The search's code loads with its index, when somebody first searches. */
function loadIndex(): Promise<SearchIndex> {
  asked ??= Promise.all([import("./search-index.ts"), fetch(INDEX)]).then(async ([{ indexOf }, answer]) => {
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return indexOf((await answer.json()) as IndexedPage[]);
  });
  asked.catch(() => {
    asked = null;
  });
  return asked;
}

/** The documentation's search: `/` focuses it from anywhere on a page, arrow keys move through the results. */
export function Search() {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState("");
  const [index, setIndex] = useState<SearchIndex | null>(null);
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isWriting = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (event.key !== "/" || isWriting || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  const load = () => {
    loadIndex().then(
      (loaded) => {
        setIndex(() => loaded);
        setIsLost(false);
      },
      () => setIsLost(true),
    );
  };
  const found = index === null ? [] : index(words);
  const isAsking = words.trim() !== "";
  return (
    <search className="search" onKeyDown={(event) => steer(event, field.current, list.current, () => setWords(""))}>
      <label htmlFor={id} className="sr-only">
        Search the documentation
      </label>
      <input
        id={id}
        ref={field}
        type="search"
        placeholder="Search  /"
        value={words}
        autoComplete="off"
        spellCheck={false}
        onFocus={load}
        onChange={({ target }) => setWords(target.value)}
      />
      {isAsking ? (
        <div className="search-found" ref={list}>
          <p role="status" className="sr-only">
            {index === null ? "" : `${found.length} found`}
          </p>
          {!isLost && index === null ? <p>Searching…</p> : null}
          {isLost ? <p>The index could not be loaded. Try again.</p> : null}
          {!isLost && index !== null && found.length === 0 ? <p>Nothing found.</p> : null}
          <FoundList found={found} />
        </div>
      ) : null}
    </search>
  );
}

function FoundList({ found }: { found: readonly Found[] }) {
  if (found.length === 0) return null;
  return (
    <ul aria-label="Results">
      {found.map(({ href, title, heading, excerpt }) => (
        <li key={href}>
          <a href={href}>
            <b>{heading === title ? title : `${title}: ${heading}`}</b>
            <span>{excerpt}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Arrow keys move from the field into the list and through it; Escape ends the search. */
function steer(event: KeyboardEvent, field: HTMLInputElement | null, list: HTMLElement | null, end: () => void): void {
  if (event.key === "Escape") {
    end();
    field?.focus();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const links = [...(list?.querySelectorAll("a") ?? [])];
  const place = links.findIndex((link) => link.matches(":focus"));
  const goal = Math.min(place + step, links.length - 1);
  (goal < 0 ? field : links[goal])?.focus();
}
