"use client";

import dynamic from "next/dynamic";
import { type ReactNode, type RefObject, useState } from "react";

const LoadedDialog = dynamic(() => import("./loaded-dialog.tsx").then(({ LoadedDialog: Loaded }) => Loaded), { ssr: false });

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** The buttons, the committing one last. */
  actions?: ReactNode;
  /** `drawer`: along the right edge, for what is long. */
  shape?: "dialog" | "drawer";
  width?: "regular" | "wide";
  /** Where focus goes when it closes; left out: back to what opened it. */
  returnFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
  /** What focus begins at; left out: the heading. Never a button that commits to something. */
  firstFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
  /** Work is under way: a click beside a drawer does not close it. Escape and the cross always do; what came of it is told all the same. */
  busy?: boolean;
  /** Left out: yes. What must be answered has no cross. */
  closable?: boolean;
  /** Nothing behind it is to be read, not even another dialog. */
  veiled?: boolean;
};

/**
 * Keeps focus inside while open and gives it back. It begins at the heading, never at a button that commits to something. What it is
 * made of is loaded when the first one opens.
 */
export function Dialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  return wanted ? <LoadedDialog {...props} /> : null;
}
