/** The door of catalog editing: what operators change in titles, and the titles that they hide or create. */

export { editTitle, type FieldEdit, undoEdit } from "./edit-title.server.ts";
export {
  type EditedField,
  episodeField,
  type FieldState,
  franchiseField,
  parseField,
  pictureWord,
  relationField,
} from "./edited-fields.server.ts";
export {
  type EditedEpisode,
  type EditedRelation,
  type EditedTitle,
  getEditedTitle,
  type ListedEdit,
  listEditedEpisodes,
  listEditedRelations,
  listEdits,
  type ShownField,
} from "./edited-title.server.ts";
export { findHiddenTitle, hideTitle, listHiddenTitles, unhideTitle } from "./hidden-titles.server.ts";
export {
  currentIdOf,
  findReplacement,
  findReplacements,
  insertLocalTitle,
  lockTitles,
  replaceTitle,
} from "./local-title-rows.server.ts";
export { listNewPictures } from "./new-pictures.server.ts";
export { readTextField, type TextFieldName, textFieldNames, textFields, tidyText } from "./text-fields.ts";
