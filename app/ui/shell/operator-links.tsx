import { useSiteData } from "./site.ts";

/** The site's name, and the links that the operator has set. */
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
