-- The rules that order franchises have changed. The next start sees another number here, and computes all franchises again.
ALTER TABLE "franchise_state" ADD COLUMN "rules" integer DEFAULT 0 NOT NULL;
