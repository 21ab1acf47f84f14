import { Columns3 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import type { Column } from "#app/console/_components/lists/table.tsx";
import { SHARED } from "../../_words/shared.ts";
import { useTranslations } from "../../_words/words.ts";
import { Button } from "./button.tsx";
import { Menu, MenuCheck } from "./menu.tsx";

type Choice = { hidden: ReadonlySet<string>; chooser: ReactNode };

/** Columns in the URL, so that they can be shared: the ids of those shown, separated by commas. */
type InAddress = { value: string | null; set: (value: string) => void };

/** The columns of a list: stored in this browser under the list's name, or in the URL. Pinned columns are always shown. */
export function useColumnChoice<Row>(
  name: string,
  columns: readonly Column<Row>[],
  hiddenAtFirst: readonly string[],
  address?: InAddress,
): Choice {
  const t = useTranslations(SHARED);
  const key = `columns of ${name}`;
  const [own, setHidden] = useState<ReadonlySet<string>>(() => new Set(hiddenAtFirst));
  const choosable = columns.filter(({ pinned, header }) => !pinned && header !== "").map(({ id }) => id);
  const said = address?.value;
  const shown = typeof said === "string" ? said.split(",") : null;
  const hidden = shown === null ? own : new Set(choosable.filter((id) => !shown.includes(id)));
  useEffect(() => {
    const kept = window.localStorage.getItem(key);
    if (kept !== null) setHidden(new Set(kept.split(" ").filter((id) => id !== "")));
  }, [key]);
  const show = (id: string, shown: boolean) => {
    const next = new Set(hidden);
    if (shown) next.delete(id);
    else next.add(id);
    setHidden(next);
    window.localStorage.setItem(key, [...next].join(" "));
    address?.set(choosable.filter((each) => !next.has(each)).join(","));
  };
  const chooser = (
    <Menu trigger={<Button icon={Columns3}>{t.columns}</Button>}>
      {columns
        .filter(({ pinned, header }) => !pinned && header !== "")
        .map(({ id, header }) => (
          <MenuCheck key={id} checked={!hidden.has(id)} onChange={(shown) => show(id, shown)}>
            {header}
          </MenuCheck>
        ))}
    </Menu>
  );
  return { hidden, chooser };
}
