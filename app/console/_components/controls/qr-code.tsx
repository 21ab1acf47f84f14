import { lazyComponent } from "./lazy-component.tsx";

const Waiting = () => <div className="qr-code" aria-busy aria-hidden />;

/** A QR code as vectors, drawn in the browser without any request. Dark on light in both themes, because cameras need that. */
export const QrCode = lazyComponent(() => import("./qr-drawn.tsx").then(({ QrDrawn }) => QrDrawn), Waiting);
