"use client";

import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ClueKind } from "#domain/settlement-clue.ts";
import { IconButton } from "../../_components/controls/button.tsx";
import { useShortcut } from "../../_components/frame/shortcuts.tsx";

const KINDS: Record<ClueKind, string> = {
  tx_id: "settlement id",
  tx_hash: "transaction hash",
  wallet: "wallet",
  external_id: "external id",
  merchant: "merchant",
};

type SearchBoxProps = { text: string; onSearch: (text: string | null) => void };

/** Takes whatever was copied elsewhere: an id, a hash, a wallet, an explorer's link, a reference. What is pasted is searched at once. */
export function SearchBox({ text, onSearch }: SearchBoxProps) {
  const [value, setValue] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setValue(text), [text]);
  useShortcut("/", "Search settlements", () => input.current?.focus());
  const search = (wanted: string) => onSearch(wanted.trim() === "" ? null : wanted.trim());
  return (
    <search className="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(value);
        }}
      >
        <Search aria-hidden size={16} />
        <input
          ref={input}
          className="input"
          type="search"
          aria-label="Search settlements by id, hash, wallet or reference"
          placeholder="Id, hash, wallet or reference"
          aria-keyshortcuts="/"
          spellCheck={false}
          autoComplete="off"
          value={value}
          onChange={({ target }) => setValue(target.value)}
          onPaste={(event) => {
            if (value !== "") return;
            const pasted = event.clipboardData.getData("text");
            if (pasted.trim() === "") return;
            event.preventDefault();
            setValue(pasted.trim());
            search(pasted);
          }}
          onKeyDown={({ key }) => {
            if (key !== "Escape") return;
            setValue("");
            onSearch(null);
          }}
        />
        {value !== "" && (
          <IconButton
            label="Clear the search"
            icon={X}
            onClick={() => {
              setValue("");
              onSearch(null);
            }}
          />
        )}
      </form>
    </search>
  );
}

type SearchedAsProps = { kind: ClueKind | null; match: "exact" | "prefix"; onTry: (kind: ClueKind) => void };

/** Says what the text was taken for, and offers the other readings. */
export function SearchedAs({ kind, match, onTry }: SearchedAsProps) {
  if (kind === null) return null;
  const others = (["external_id", "merchant", "wallet"] as const).filter((each) => each !== kind);
  return (
    <p className="searched-as">
      <span>
        Searched as <strong>{KINDS[kind]}</strong>
        {match === "prefix" ? ", by its beginning" : ""}. Try as
      </span>
      {others.map((each) => (
        <button key={each} type="button" className="chip" onClick={() => onTry(each)}>
          {KINDS[each]}
        </button>
      ))}
    </p>
  );
}
