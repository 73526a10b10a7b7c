import { type Portrait, PortraitGrid } from "#app/ui/people/portrait.tsx";

type Props = { groups: readonly { id: string; heading: { title: string }; names: readonly Portrait[] }[] };

export const NameGroups = ({ groups }: Props) =>
  groups.map(({ id, heading, names }) => (
    <section key={id} className="person-part" aria-labelledby={id}>
      <h2 id={id}>{heading.title}</h2>
      <PortraitGrid labelledBy={id} portraits={names} />
    </section>
  ));
