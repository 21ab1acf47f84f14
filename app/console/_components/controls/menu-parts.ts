import type { Menu } from "@base-ui/react/menu";
import { createContext, useContext } from "react";

type Parts = typeof Menu;

/** The parts of menu items, provided by the menu itself, so that no page loads them before one opens. */
export const MenuPartsContext = createContext<Parts | null>(null);

export function useMenuParts(): Parts {
  const parts = useContext(MenuPartsContext);
  if (parts === null) throw new Error("there is no menu around this");
  return parts;
}
