import type { CardTitle } from "#app/ui/titles/card.tsx";
import { CardRow } from "#app/ui/titles/row.tsx";

type Props = {
  /** "The story: part 3 of 6" */
  place: string;
  /** The part with which the member goes on. */
  next: string | undefined;
  path: string;
  titles: readonly CardTitle[];
};

/** The place of the page's title in its franchise, with the parts around it. */
export const FranchiseLine = ({ place, next, path, titles }: Props) =>
  next === undefined ? (
    <CardRow title={place} more={path} titles={titles} />
  ) : (
    <CardRow title={place} why={next} more={path} titles={titles} />
  );
