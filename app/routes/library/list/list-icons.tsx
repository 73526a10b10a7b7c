import { IconLine } from "#app/ui/icons/icons.tsx";

export const GridIcon = () => (
  <IconLine d="M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z" />
);
export const ListIcon = () => <IconLine d="M8.5 6.5H20M8.5 12H20M8.5 17.5H20M4 6.5h.5M4 12h.5M4 17.5h.5" />;
export const EditRowIcon = () => <IconLine d="M4.5 19.5v-4L15 5l4 4L8.5 19.5zM13 7l4 4" />;
