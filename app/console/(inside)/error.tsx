"use client";

import { PageTrouble, type PageTroubleProps } from "../_components/frame/page-trouble.tsx";

/** A page that could not be made: the console stays around it. */
export default function PageFailed(props: PageTroubleProps) {
  return <PageTrouble {...props} />;
}
