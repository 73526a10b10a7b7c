import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { ofUser } from "./accounts.ts";
import { isOneOfSql, timestampColumn } from "./columns.ts";
import { imageUseKinds, storageKinds } from "./enumerations.ts";

/** A row for each stored file. The file's name is the hash of its content (an IPFS CID). */
export const storedImages = pgTable(
  "stored_images",
  {
    cid: text("cid").primaryKey(),
    contentType: text("content_type").notNull(),
    bytes: integer("bytes").notNull(),
    widthPx: integer("width_px").notNull(),
    heightPx: integer("height_px").notNull(),
    storage: text("storage", { enum: storageKinds }).notNull(),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
  },
  (table) => [
    check("stored_images_storage", isOneOfSql(table.storage, storageKinds)),
    check("stored_images_size", sql`${table.bytes} > 0 and ${table.widthPx} > 0 and ${table.heightPx} > 0`),
  ],
);

/** Which members use a stored image. An image without uses is deleted. */
export const imageUses = pgTable(
  "image_uses",
  {
    cid: text("cid")
      .notNull()
      .references(() => storedImages.cid, { onDelete: "cascade" }),
    userId: ofUser(),
    kind: text("kind", { enum: imageUseKinds }).notNull(),
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.cid, table.userId, table.kind] }),
    check("image_uses_kind", isOneOfSql(table.kind, imageUseKinds)),
    index("image_uses_user").on(table.userId),
  ],
);
