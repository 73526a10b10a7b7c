/**
 * The first id for local titles, which an operator created or which a folder of films became. Only members see them.
 */
export const firstLocalMalId = 900_100_000;
