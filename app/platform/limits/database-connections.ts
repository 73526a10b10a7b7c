/** The connections of the database pool. The limit of pages that are rendered at once depends on it too. */
export const databaseConnections = 10;
