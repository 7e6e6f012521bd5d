CREATE TABLE "released_files" (
	"storage_key" text PRIMARY KEY NOT NULL
);
