import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

/** A remark at what is pointed at or focused. It may repeat or add, never be the only place of something needed. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={300} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="floating">
          <Base.Popup className="tooltip">{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
