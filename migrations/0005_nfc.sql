-- The server brings addresses and names to NFC from now on, so that an accent typed as one character or
-- as two is the same. Accounts that have them otherwise would not be found by their own address. Of two
-- accounts whose addresses differ in nothing else, both stay as they are: nobody can tell which is meant.
-- PostgreSQL knows NFC in UTF-8 only.
DO $$ BEGIN
IF current_setting('server_encoding') = 'UTF8' THEN
  UPDATE "users" SET "name" = normalize("name", NFC) WHERE "name" IS NOT NFC NORMALIZED;
  UPDATE "users" SET "email" = normalize("email", NFC)
  WHERE "email" IS NOT NFC NORMALIZED AND NOT EXISTS (
    SELECT 1 FROM "users" "other"
    WHERE normalize("other"."email", NFC) = normalize("users"."email", NFC) AND "other"."id" <> "users"."id"
  );
  UPDATE "mails" SET "to_address" = "users"."email" FROM "users"
  WHERE "mails"."user_id" = "users"."id" AND "to_address" IS NOT NFC NORMALIZED;
END IF;
END $$;
