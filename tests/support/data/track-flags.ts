/** The flags of a track that has none. */
export const noFlags = {
  isDefault: false,
  isForced: false,
  isForHearingImpaired: false,
  isForVisualImpaired: false,
  isCommentary: false,
  isOriginal: false,
};
