/** Read by drizzle-kit, which writes migrations; it is fetched when needed, not installed. */
export default {
  dialect: "postgresql",
  schema: "./db/schema/*.ts",
  out: "./db/migrations",
};
