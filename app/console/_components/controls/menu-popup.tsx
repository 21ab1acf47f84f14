import { Menu } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { MenuPartsContext } from "./menu-parts.ts";

type MenuPopupProps = { anchor: HTMLElement; align?: "start" | "end"; onClose: () => void; children: ReactNode };

/** An open menu at an element, which gets the focus back. A press on that element is handled by the element. */
export function MenuPopup({ anchor, align = "end", onClose, children }: MenuPopupProps) {
  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(open, { event }) => {
        if (!open && !(event.target instanceof Node && anchor.contains(event.target))) onClose();
      }}
    >
      <Menu.Portal>
        <Menu.Positioner anchor={anchor} sideOffset={6} align={align} className="floating">
          <Menu.Popup className="menu" finalFocus={() => anchor}>
            <MenuPartsContext value={Menu}>{children}</MenuPartsContext>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
