/**
 * A browser loads a file of icons as a whole, so icons are split by the pages that use them. This file holds those of
 * all pages, and tool-icons.tsx those of several member pages. The icons of one page lie in its folder.
 *
 * They are drawn for this site on a 24-unit grid with one stroke width. Each has text beside it or is inside an element
 * with a name, so it is hidden from assistive technology.
 */
export function IconLine({ d }: { d: string }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={d} />
    </svg>
  );
}

export function IconSolid({ d }: { d: string }) {
  return (
    <svg className="icon" data-solid viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={d} />
    </svg>
  );
}

export const SearchIcon = () => (
  <IconLine d="M16.2 16.2 21 21M18.5 11a7.5 7.5 0 1 1-15 0 7.5 7.5 0 0 1 15 0Z" />
);
export const HomeIcon = () => <IconLine d="M3.5 10.7 12 3.8l8.5 6.9M5.8 9v10.7h4.4v-5.6h3.6v5.6h4.4V9" />;
export const BrowseIcon = () => (
  <IconLine d="M4 4.5h6.5v7H4zM13.5 4.5H20v4h-6.5zM13.5 12H20v7.5h-6.5zM4 15h6.5v4.5H4z" />
);
export const PeopleIcon = () => (
  <IconLine d="M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.4a3.5 3.5 0 0 1 0 6.2m2 3.9c2.2.8 3.5 2.6 3.5 5.5" />
);
export const CalendarIcon = () => <IconLine d="M4 6h16v14H4zM4 10.5h16M8 3.5V7M16 3.5V7M8 14.5h3" />;
export const ShuffleIcon = () => (
  <IconLine d="M3 7h3.2c1.6 0 2.7.8 3.6 2.2l4.4 5.6c.9 1.4 2 2.2 3.6 2.2H21M3 17h3.2c1.6 0 2.7-.8 3.6-2.2M14.2 9.2C15.1 7.8 16.2 7 17.8 7H21m-2.8-2.8L21 7l-2.8 2.8M18.2 14.2 21 17l-2.8 2.8" />
);
export const BookmarkIcon = () => <IconLine d="M6 4h12v16.5l-6-4.6-6 4.6z" />;
export const FilterIcon = () => <IconLine d="M4 6.5h16M7 12h10M10 17.5h4" />;
export const CloseIcon = () => <IconLine d="m6 6 12 12M18 6 6 18" />;
export const CheckIcon = () => <IconLine d="m5 12.5 4.7 4.7L19 7.5" />;
export const CheckAllIcon = () => <IconLine d="m3 12.5 4.7 4.7L17 7.5M13 16.5l.7.7L22 7.5" />;
export const PlusIcon = () => <IconLine d="M12 5v14M5 12h14" />;
export const MinusIcon = () => <IconLine d="M5 12h14" />;
export const LeftIcon = () => <IconLine d="m14.5 5.5-6.5 6.5 6.5 6.5" />;
export const RightIcon = () => <IconLine d="m9.5 5.5 6.5 6.5-6.5 6.5" />;
export const PlayIcon = () => (
  <IconSolid d="M7 4.3c0-.8.9-1.3 1.6-.9l12 7.7c.6.4.6 1.3 0 1.7l-12 7.7c-.7.5-1.6 0-1.6-.8Z" />
);
export const StarIcon = () => (
  <IconSolid d="m12 2.8 2.8 5.9 6.4.9-4.7 4.5 1.2 6.4L12 17.4l-5.7 3.1 1.2-6.4-4.7-4.5 6.4-.9Z" />
);
export const InfoIcon = () => <IconLine d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.6v.1" />;
export const ExternalIcon = () => <IconLine d="M13.5 4.5h6v6M19.5 4.5l-9 9M17 14.5v5H4.5V7h5" />;
export const HistoryIcon = () => <IconLine d="M4 5v4.5h4.5M4.3 9.5A8.3 8.3 0 1 1 3.8 14M12 8v4.3l3 1.9" />;
export const TrashIcon = () => <IconLine d="M4.5 7h15M9.5 7V4h5v3M6.5 7l.9 13h9.2l.9-13M10 11v5M14 11v5" />;
/** An engawa, the porch of a Japanese house: the edge of the roof, two posts, the boards and a low sun. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M3 8.5h26M7 8.5V23M25 8.5V23M3 23h26M6 27.5h20" />
      <circle className="logo-sun" cx="16" cy="17.5" r="4.5" />
    </svg>
  );
}
