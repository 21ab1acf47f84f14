"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { Check, type LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode } from "react";

type MenuProps = { trigger: ReactElement; children: ReactNode; align?: "start" | "end" };
type AnchoredMenuProps = { anchor: Element; onClose: () => void; children: ReactNode };

/** The same below any element: one menu for all rows of a list. It is there as long as it is open. */
export function AnchoredMenu({ anchor, onClose, children }: AnchoredMenuProps) {
  return (
    <Base.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} sideOffset={4} align="end" className="floating">
          <Base.Popup className="menu" finalFocus={() => (anchor instanceof HTMLElement ? anchor : null)}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** A short list of actions or choices below what opens it. */
export function Menu({ trigger, children, align = "end" }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="floating">
          <Base.Popup className="menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({ icon: Icon, children, onSelect }: { icon?: LucideIcon; children: ReactNode; onSelect: () => void }) {
  return (
    <Base.Item className="menu-item" onClick={onSelect}>
      <span className="menu-icon">{Icon && <Icon aria-hidden size={16} />}</span>
      {children}
    </Base.Item>
  );
}

type MenuChoicesProps<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
};

/** One of several, with a tick at the one that holds. */
export function MenuChoices<Value extends string>({ label, value, choices, onChoose }: MenuChoicesProps<Value>) {
  const choose = (text: unknown) => {
    const chosen = choices.find((choice) => choice.value === text);
    if (chosen) onChoose(chosen.value);
  };
  return (
    <Base.Group>
      <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={choose}>
        {choices.map((choice) => (
          <Base.RadioItem key={choice.value} value={choice.value} className="menu-item" closeOnClick>
            <span className="menu-icon">
              <Base.RadioItemIndicator>
                <Check aria-hidden size={16} />
              </Base.RadioItemIndicator>
            </span>
            {choice.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return <div className="menu-heading">{children}</div>;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="menu-label">{children}</div>;
}

export function MenuSeparator() {
  return <Base.Separator className="menu-separator" />;
}
