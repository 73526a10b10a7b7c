import { useSiteData } from "./site.ts";

/** The site's own name, and where to learn who answers for it. */
export function OperatorLinks() {
  const { operator } = useSiteData();
  return (
    operator && (
      <p className="foot-operator">
        {operator.name}
        {operator.links.map(([label, url]) => (
          <a key={label} href={url}>
            {label}
          </a>
        ))}
      </p>
    )
  );
}
