/** For drizzle-kit, which writes the migrations. `npm run db:generate` downloads it; it is not a dependency. */
export default {
  dialect: "postgresql",
  schema: "./db/schema/*.ts",
  out: "./db/migrations",
};
