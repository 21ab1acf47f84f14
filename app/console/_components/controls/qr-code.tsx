import encode from "qr";
import { useMemo } from "react";

/** A QR code as vectors, drawn here: nothing is loaded or asked from anybody. Dark on light in both themes, as cameras want it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const modules = encode(text, "raw", { ecc: "medium", border: 2 });
    const squares = modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: modules.length, path: squares.join("") };
  }, [text]);
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path className="qr-light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path className="qr-dark" d={path} />
    </svg>
  );
}
