import { Link } from "../link.tsx";

/** A person or a character with a picture. Loaders send only these fields. */
export type Portrait = {
  path: string;
  name: string;
  lang?: "ja";
  /** The path of the picture, or null. */
  picture: string | null;
  /** The role, in a few words; may be empty. */
  note: string;
};

type PictureProps = { name: string; picture: string | null; loading?: "lazy" | "eager" };

/** Without a picture, the first letter of the name. */
export const PortraitPicture = ({ name, picture, loading = "lazy" }: PictureProps) =>
  picture === null ? (
    <span className="portrait-picture" data-letter aria-hidden="true">
      {[...name][0]}
    </span>
  ) : (
    <img
      className="portrait-picture"
      src={picture}
      width={56}
      height={72}
      alt=""
      loading={loading === "lazy" ? "lazy" : undefined}
      decoding="async"
    />
  );

export const PortraitLink = ({ path, name, lang, picture, note }: Portrait) => (
  <Link className="portrait" to={path}>
    <PortraitPicture name={name} picture={picture} />
    <span className="portrait-text">
      <span className="portrait-name" lang={lang}>
        {name}
      </span>
      {note !== "" && <span className="quiet">{note}</span>}
    </span>
  </Link>
);

type GridProps = { labelledBy: string; portraits: readonly Portrait[] };

export const PortraitGrid = ({ labelledBy, portraits }: GridProps) => (
  <ul className="portraits" aria-labelledby={labelledBy}>
    {portraits.map((portrait) => (
      <li key={portrait.path + portrait.note}>
        <PortraitLink {...portrait} />
      </li>
    ))}
  </ul>
);
