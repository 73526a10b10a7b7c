import { Line } from "./icons.tsx";

/** For the pages of a member: lists, forms, the player. Kept apart so that no other page loads them. */

export const UserIcon = () => (
  <Line d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6" />
);
export const SettingsIcon = () => (
  <Line d="M4 7h9M19 7h1M4 17h1M11 17h9M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z" />
);
export const DownIcon = () => <Line d="m5.5 9.5 6.5 6.5 6.5-6.5" />;
export const WarningIcon = () => <Line d="M12 4 2.8 20h18.4zM12 10v4.5M12 17.3v.1" />;
export const GlobeIcon = () => (
  <Line d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c5 5.3 5 12.7 0 18M12 3c-5 5.3-5 12.7 0 18" />
);
export const EyeIcon = () => (
  <Line d="M2.5 12c2-4 5.3-6.3 9.5-6.3s7.5 2.3 9.5 6.3c-2 4-5.3 6.3-9.5 6.3S4.5 16 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z" />
);
export const EyeOffIcon = () => (
  <Line d="M4 4l16 16M9.9 6c.7-.2 1.4-.3 2.1-.3 4.2 0 7.5 2.3 9.5 6.3-.7 1.4-1.6 2.6-2.7 3.5M6.3 7.7A11 11 0 0 0 2.5 12c2 4 5.3 6.3 9.5 6.3 1.6 0 3-.3 4.3-.9M10 10a3 3 0 0 0 4.1 4.2" />
);
export const HeartIcon = () => (
  <Line d="M12 20 4.6 12.7a4.6 4.6 0 0 1 6.6-6.5l.8.9.8-.9a4.6 4.6 0 0 1 6.6 6.5Z" />
);
export const UndoIcon = () => <Line d="M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11H9" />;
export const LockIcon = () => <Line d="M5.5 11h13v9.5h-13zM8 11V8a4 4 0 0 1 8 0v3M12 15v2" />;
export const DownloadIcon = () => <Line d="M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M4.5 16v4h15v-4" />;
export const UploadIcon = () => <Line d="M12 15V4m0 0L7.5 8.5M12 4l4.5 4.5M4.5 16v4h15v-4" />;
export const EditIcon = () => <Line d="M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4" />;
export const GridIcon = () => (
  <Line d="M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z" />
);
export const ListIcon = () => <Line d="M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4 6.5h.5M4 12h.5M4 17.5h.5" />;
