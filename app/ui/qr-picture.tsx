/** The width of the light border that QR readers need, in modules. */
const border = 4;

type Props = { path: string; rows: number; label: string };

/** Dark on light in every color scheme. Otherwise cameras could not read the code. */
export function QrPicture({ path, rows, label }: Props) {
  const size = rows + 2 * border;
  return (
    <svg
      className="qr-picture"
      viewBox={`${-border} ${-border} ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect x={-border} y={-border} width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
