import { accentColors } from "#app/ui/accent.ts";

export type Face = { name: string; picture: string | null; accentColor: string };

/** The picture of a profile, or the first letter of its name in its color. */
export function ProfileFace({ face: { name, picture, accentColor } }: { face: Face }) {
  if (picture !== null)
    return <img className="profile-face" src={picture} alt="" width={128} height={128} loading="lazy" />;
  const { accent, onAccent } = accentColors(accentColor);
  return (
    <svg className="profile-face" viewBox="0 0 64 64" aria-hidden="true">
      <rect width="64" height="64" fill={accent} />
      <text x="32" y="43" fill={onAccent} fontSize="30" fontWeight="600" textAnchor="middle">
        {[...name][0]?.toUpperCase()}
      </text>
    </svg>
  );
}
