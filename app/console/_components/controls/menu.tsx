import { Check, type LucideIcon } from "lucide-react";
import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode, useState } from "react";
import { lazyComponent } from "./lazy-component.tsx";
import { useMenuParts } from "./menu-parts.ts";

/** Below any element: one menu for all rows of a list. It is mounted while open, and loaded with the first use. */
export const AnchoredMenu = lazyComponent(() => import("./menu-popup.tsx").then(({ MenuPopup: Loaded }) => Loaded));

type Trigger = ReactElement<{
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}>;
type MenuProps = { trigger: Trigger; children: ReactNode; align?: "start" | "end" };

/** A short list of actions or choices below its button. */
export function Menu({ trigger, children, align = "end" }: MenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const opener = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": anchor !== null,
    onClick: ({ currentTarget }) => setAnchor(anchor === null ? currentTarget : null),
    onKeyDown: (event) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      setAnchor(event.currentTarget);
    },
  });
  return (
    <>
      {opener}
      {anchor && (
        <AnchoredMenu anchor={anchor} align={align} onClose={() => setAnchor(null)}>
          {children}
        </AnchoredMenu>
      )}
    </>
  );
}

export function MenuItem({ icon: Icon, children, onSelect }: { icon?: LucideIcon; children: ReactNode; onSelect: () => void }) {
  const parts = useMenuParts();
  return (
    <parts.Item className="menu-item" onClick={onSelect}>
      <span className="menu-icon">{Icon && <Icon aria-hidden size={16} />}</span>
      {children}
    </parts.Item>
  );
}

type MenuChoicesProps<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
};

/** One of several options, with a tick at the selected one. */
export function MenuChoices<Value extends string>({ label, value, choices, onChoose }: MenuChoicesProps<Value>) {
  const parts = useMenuParts();
  const choose = (text: unknown) => {
    const chosen = choices.find((choice) => choice.value === text);
    if (chosen) onChoose(chosen.value);
  };
  return (
    <parts.Group>
      <parts.GroupLabel className="menu-label">{label}</parts.GroupLabel>
      <parts.RadioGroup value={value} onValueChange={choose}>
        {choices.map((choice) => (
          <parts.RadioItem key={choice.value} value={choice.value} className="menu-item" closeOnClick>
            <span className="menu-icon">
              <parts.RadioItemIndicator>
                <Check aria-hidden size={16} />
              </parts.RadioItemIndicator>
            </span>
            {choice.label}
          </parts.RadioItem>
        ))}
      </parts.RadioGroup>
    </parts.Group>
  );
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <div className="menu-heading">{children}</div>;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="menu-label">{children}</div>;
}

export function MenuSeparator() {
  const parts = useMenuParts();
  return <parts.Separator className="menu-separator" />;
}

type MenuCheckProps = { checked: boolean; onChange: (checked: boolean) => void; children: ReactNode };

/** A checkbox item; the menu stays open. */
export function MenuCheck({ checked, onChange, children }: MenuCheckProps) {
  const parts = useMenuParts();
  return (
    <parts.CheckboxItem className="menu-item" checked={checked} closeOnClick={false} onCheckedChange={onChange}>
      <span className="menu-icon">
        <parts.CheckboxItemIndicator>
          <Check aria-hidden size={16} />
        </parts.CheckboxItemIndicator>
      </span>
      {children}
    </parts.CheckboxItem>
  );
}
