import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "#app/console/_components/controls/button.tsx";
import { useShortcut } from "#app/console/_components/frame/shortcuts.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Narrowing } from "./filters.ts";
import { SEARCH_FIELD } from "./words.ts";

type SearchFieldProps<Params> = {
  of: Narrowing<Params>;
  /** The searched fields, such as `name or slug`. */
  by: string;
  onSearch?: (q: string | null) => void;
};

/** Filters a list by a text: on Enter, and at once for a paste into the empty field. Escape clears it. */
export function SearchField<Params extends { q: string | null }>({ of, by, ...own }: SearchFieldProps<Params>) {
  const t = useTranslations(SEARCH_FIELD);
  const { onSearch = (q) => of.choose({ q } as Partial<Params>) } = own;
  const label = t.searchBy(of.many, by);
  const text = of.params.q ?? "";
  const [value, setValue] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setValue(text), [text]);
  useShortcut("/", label, () => input.current?.focus());
  const search = (wanted: string) => onSearch(wanted.trim() === "" ? null : wanted.trim());
  const clear = () => {
    setValue("");
    onSearch(null);
  };
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
          aria-label={label}
          placeholder={by.charAt(0).toUpperCase() + by.slice(1)}
          aria-keyshortcuts="/"
          spellCheck={false}
          autoComplete="off"
          maxLength={512}
          value={value}
          onChange={({ target }) => setValue(target.value)}
          onPaste={(event) => {
            const pasted = event.clipboardData.getData("text").trim();
            if (value !== "" || pasted === "") return;
            event.preventDefault();
            setValue(pasted);
            search(pasted);
          }}
          onKeyDown={({ key }) => key === "Escape" && clear()}
        />
        {value !== "" && <IconButton label={t.clearSearch} icon={X} onClick={clear} />}
      </form>
    </search>
  );
}
