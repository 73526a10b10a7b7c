-- Search compares titles by trigrams. The extension is trusted: the database's owner may add it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
