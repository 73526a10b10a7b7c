import type { ComponentProps } from "react";
import { Link } from "#app/ui/link.tsx";
import type { FoundTitle } from "./found-titles.server.ts";

type Props = Pick<ComponentProps<typeof Link>, "preventScrollReset"> & {
  titles: readonly FoundTitle[];
  pathOf(malId: number): string;
};

/** The titles that a search has found, each with the facts that tell it from others of its name. */
export const FoundTitleLinks = ({ titles, pathOf, ...link }: Props) => (
  <ul className="admin-found">
    {titles.map(({ malId, title, note }) => (
      <li key={malId}>
        <Link className="link" to={pathOf(malId)} {...link}>
          {title}
        </Link>{" "}
        <span className="quiet">{note}</span>
      </li>
    ))}
  </ul>
);
