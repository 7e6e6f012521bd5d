-- A recipient's figures are counted in an index, so the index has the day too.
ALTER TABLE "capsule_recipients" ADD COLUMN "date_to_unlock" date;--> statement-breakpoint
UPDATE "capsule_recipients" SET "date_to_unlock" = "capsules"."date_to_unlock" FROM "capsules"
WHERE "capsules"."id" = "capsule_recipients"."capsule_id";--> statement-breakpoint
ALTER TABLE "capsule_recipients" ALTER COLUMN "date_to_unlock" SET NOT NULL;--> statement-breakpoint
-- For a server of the version before, beside this one: it does not know the column.
CREATE FUNCTION "fill_date_to_unlock"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  SELECT "date_to_unlock" INTO NEW."date_to_unlock" FROM "capsules" WHERE "id" = NEW."capsule_id";
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "fill_date_to_unlock" BEFORE INSERT ON "capsule_recipients"
FOR EACH ROW WHEN (NEW."date_to_unlock" IS NULL) EXECUTE FUNCTION "fill_date_to_unlock"();--> statement-breakpoint
DROP INDEX "capsule_recipients_user_unlock";--> statement-breakpoint
DROP INDEX "capsules_creator_unlock";--> statement-breakpoint
CREATE INDEX "capsule_recipients_user_unlock" ON "capsule_recipients" USING btree ("user_id","unlock_at","capsule_id","created_at","date_to_unlock");--> statement-breakpoint
CREATE INDEX "capsules_creator_unlock" ON "capsules" USING btree ("creator_id","unlock_at","id","created_at","date_to_unlock","total_bytes");
