import { IconLine, IconSolid } from "#app/ui/icons/icons.tsx";

/** The icons that only the player uses. */

export const PauseIcon = () => <IconSolid d="M6.5 4h3.6v16H6.5zM13.9 4h3.6v16h-3.6z" />;
export const ReplayIcon = () => <IconLine d="M5 5v5h5M5.3 10A7.6 7.6 0 1 1 4.4 14" />;
export const NextIcon = () => (
  <IconSolid d="M5 4.6c0-.8.9-1.2 1.5-.7l8.9 7.3c.5.4.5 1.2 0 1.6l-8.9 7.3c-.6.5-1.5.1-1.5-.7zM17 4h2.6v16H17z" />
);
export const PreviousIcon = () => (
  <IconSolid d="M19 4.6c0-.8-.9-1.2-1.5-.7l-8.9 7.3c-.5.4-.5 1.2 0 1.6l8.9 7.3c.6.5 1.5.1 1.5-.7zM7 4H4.4v16H7z" />
);
export const SoundIcon = () => (
  <IconLine d="M4 9.5v5h3.5l5 4.5V5l-5 4.5zM16 9a4.5 4.5 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11" />
);
export const MutedIcon = () => <IconLine d="M4 9.5v5h3.5l5 4.5V5l-5 4.5zM16 9.5l5 5M21 9.5l-5 5" />;
export const CaptionsIcon = () => (
  <IconLine d="M3.5 5.5h17v13h-17zM10.5 10.6a2.2 2.2 0 1 0 0 2.8M17.3 10.6a2.2 2.2 0 1 0 0 2.8" />
);
export const EnlargeIcon = () => <IconLine d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" />;
export const PictureInPictureIcon = () => <IconLine d="M3.5 5.5h17v13h-17zM12 12h6v4.5h-6z" />;
export const KeyboardIcon = () => (
  <IconLine d="M3 6.5h18v11H3zM6.5 10h.1M10 10h.1M13.5 10h.1M17 10h.1M8 14h8" />
);
/** An arrow around a 10. */
const TenIcon = ({ d }: { d: string }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={d} />
    <text x="12" y="16.4" textAnchor="middle" className="player-ten">
      10
    </text>
  </svg>
);
export const BackTenIcon = () => <TenIcon d="M4.5 4.5v4.6h4.6M5 9a8 8 0 1 1-.9 4.6" />;
export const ForwardTenIcon = () => <TenIcon d="M19.5 4.5v4.6h-4.6M19 9a8 8 0 1 0 .9 4.6" />;
export const SettingsIcon = () => (
  <IconLine d="M4 7h9M19 7h1M4 17h1M11 17h9M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z" />
);
