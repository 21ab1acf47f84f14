import type { ReactNode } from "react";
import "./french.ts";

/** Loads the French texts before anything within it shows. */
export default function InFrench({ children }: { children: ReactNode }) {
  return children;
}
