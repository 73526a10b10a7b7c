/** Dark on light whatever the page's colors are, or cameras would not read it. */
export const QrPicture = ({ path, size }: { path: string; size: number }) => (
  <svg
    className="link-picture"
    viewBox={`0 0 ${size} ${size}`}
    role="img"
    aria-label="QR code with the address of this page and the code above"
    shapeRendering="crispEdges"
  >
    <rect width={size} height={size} fill="#fff" />
    <path d={path} fill="#000" />
  </svg>
);
