/** The password of every account that tests create. It follows the rules for passwords. */
export const goodPassword = "Abc123!x";
