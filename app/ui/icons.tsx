/**
 * Drawn for this site on a 24-unit grid, one stroke weight. Always beside words or inside something that has a
 * name of its own, hence hidden from assistive technology.
 */
function Line({ d }: { d: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={d} />
    </svg>
  );
}

function Solid({ d }: { d: string }) {
  return (
    <svg className="icon" data-solid viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={d} />
    </svg>
  );
}

export const SearchIcon = () => <Line d="M16.2 16.2 21 21M18.5 11a7.5 7.5 0 1 1-15 0 7.5 7.5 0 0 1 15 0Z" />;
export const HomeIcon = () => <Line d="M3.5 10.7 12 3.8l8.5 6.9M5.8 9v10.7h4.4v-5.6h3.6v5.6h4.4V9" />;
export const BrowseIcon = () => (
  <Line d="M4 4.5h6.5v7H4zM13.5 4.5H20v4h-6.5zM13.5 12H20v7.5h-6.5zM4 15h6.5v4.5H4z" />
);
export const CalendarIcon = () => <Line d="M4 6h16v14H4zM4 10.5h16M8 3.5V7M16 3.5V7M8 14.5h3" />;
export const SeasonIcon = () => (
  <Line d="M5 19c0-8 5-13.5 14.5-14.5C20 14 15 19 8.5 19c0-4 2.5-7 6-9M5 21v-2" />
);
export const ShuffleIcon = () => (
  <Line d="M3 7h3.2c1.6 0 2.7.8 3.6 2.2l4.4 5.6c.9 1.4 2 2.2 3.6 2.2H21M3 17h3.2c1.6 0 2.7-.8 3.6-2.2M14.2 9.2C15.1 7.8 16.2 7 17.8 7H21m-2.8-2.8L21 7l-2.8 2.8M18.2 14.2 21 17l-2.8 2.8" />
);
export const BookmarkIcon = () => <Line d="M6 4h12v16.5l-6-4.6-6 4.6z" />;
export const BookmarkedIcon = () => (
  <Solid d="M6 3.2h12c.5 0 .9.4.9.9v16.4c0 .8-.8 1.2-1.4.7L12 17l-5.5 4.2c-.6.5-1.4 0-1.4-.7V4.1c0-.5.4-.9.9-.9Z" />
);
export const UserIcon = () => (
  <Line d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.6-4 3.6-6 7.5-6s6.9 2 7.5 6" />
);
export const SettingsIcon = () => (
  <Line d="M4 7h9M19 7h1M4 17h1M11 17h9M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z" />
);
export const FilterIcon = () => <Line d="M4 6.5h16M7 12h10M10 17.5h4" />;
export const SortIcon = () => <Line d="M7.5 5v14m0 0L4 15.5M7.5 19l3.5-3.5M13 6h7M13 11h5M13 16h3" />;
export const CloseIcon = () => <Line d="m6 6 12 12M18 6 6 18" />;
export const CheckIcon = () => <Line d="m5 12.5 4.7 4.7L19 7.5" />;
export const PlusIcon = () => <Line d="M12 5v14M5 12h14" />;
export const MinusIcon = () => <Line d="M5 12h14" />;
export const LeftIcon = () => <Line d="m14.5 5.5-6.5 6.5 6.5 6.5" />;
export const RightIcon = () => <Line d="m9.5 5.5 6.5 6.5-6.5 6.5" />;
export const DownIcon = () => <Line d="m5.5 9.5 6.5 6.5 6.5-6.5" />;
export const PlayIcon = () => (
  <Solid d="M7 4.3c0-.8.9-1.3 1.6-.9l12 7.7c.6.4.6 1.3 0 1.7l-12 7.7c-.7.5-1.6 0-1.6-.8Z" />
);
export const StarIcon = () => (
  <Solid d="m12 2.8 2.8 5.9 6.4.9-4.7 4.5 1.2 6.4L12 17.4l-5.7 3.1 1.2-6.4-4.7-4.5 6.4-.9Z" />
);
export const InfoIcon = () => <Line d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.6v.1" />;
export const WarningIcon = () => <Line d="M12 4 2.8 20h18.4zM12 10v4.5M12 17.3v.1" />;
export const ExternalIcon = () => <Line d="M13.5 4.5h6v6M19.5 4.5l-9 9M17 14.5v5H4.5V7h5" />;
export const ClockIcon = () => <Line d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5.3l3.5 2.2" />;
export const HistoryIcon = () => <Line d="M4 5v4.5h4.5M4.3 9.5A8.3 8.3 0 1 1 3.8 14M12 8v4.3l3 1.9" />;
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
export const TrashIcon = () => <Line d="M4.5 7h15M9.5 7V4h5v3M6.5 7l.9 13h9.2l.9-13M10 11v5M14 11v5" />;
export const UndoIcon = () => <Line d="M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11H9" />;
export const LockIcon = () => <Line d="M5.5 11h13v9.5h-13zM8 11V8a4 4 0 0 1 8 0v3M12 15v2" />;
export const DownloadIcon = () => <Line d="M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M4.5 16v4h15v-4" />;
export const UploadIcon = () => <Line d="M12 15V4m0 0L7.5 8.5M12 4l4.5 4.5M4.5 16v4h15v-4" />;
export const EditIcon = () => <Line d="M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4" />;
export const MoreIcon = () => (
  <Solid d="M5.5 10.3a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4Zm6.5 0a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4Zm6.5 0a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4Z" />
);
export const GridIcon = () => (
  <Line d="M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z" />
);
export const ListIcon = () => <Line d="M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4 6.5h.5M4 12h.5M4 17.5h.5" />;
export const FilmIcon = () => (
  <Line d="M4 5h16v14H4zM8.5 5v14M15.5 5v14M4 9.7h4.5M4 14.3h4.5M15.5 9.7H20M15.5 14.3H20" />
);
export const ShareIcon = () => <Line d="M12 15V3.5m0 0L8 7.5M12 3.5l4 4M7.5 11H5v9.5h14V11h-2.5" />;

/** The porch one sits on: the roof's edge, two posts, the boards, and a low sun beyond. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path className="logo-house" d="M3 8.5h26M7 8.5V23M25 8.5V23M3 23h26M6 27.5h20" />
      <circle className="logo-sun" cx="16" cy="17.5" r="4.5" />
    </svg>
  );
}
