/** The password of every account that tests make. It keeps the rules for passwords. */
export const goodPassword = "Abc123!x";
