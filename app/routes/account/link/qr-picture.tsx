/** The width of the light border that QR readers need, in modules. */
const border = 4;

/** Dark on light in every color scheme. Otherwise cameras could not read the code. */
export function QrPicture({ path, rows }: { path: string; rows: number }) {
  const size = rows + 2 * border;
  return (
    <svg
      className="link-picture"
      viewBox={`${-border} ${-border} ${size} ${size}`}
      role="img"
      aria-label="QR code with the address of this page and the code above"
      shapeRendering="crispEdges"
    >
      <rect x={-border} y={-border} width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
