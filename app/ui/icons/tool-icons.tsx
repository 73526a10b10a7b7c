import { IconLine } from "./icons.tsx";

/** Icons that several member pages share. They are not in icons.tsx, so that other pages do not load them. */

export const WarningIcon = () => <IconLine d="M12 4 2.8 20h18.4zM12 10v4.5M12 17.3v.1" />;
export const DownloadIcon = () => <IconLine d="M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M4.5 16v4h15v-4" />;
export const UploadIcon = () => <IconLine d="M12 15V4m0 0L7.5 8.5M12 4l4.5 4.5M4.5 16v4h15v-4" />;
export const EditIcon = () => <IconLine d="M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4" />;
