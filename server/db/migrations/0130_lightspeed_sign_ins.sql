CREATE TABLE "lightspeed_sign_ins" (
  "state_hash" varchar(64) PRIMARY KEY,
  "sid" varchar(64) NOT NULL,
  "user_id" integer NOT NULL,
  "config_id" integer,
  "name" varchar(255) NOT NULL,
  "settings" text,
  "redirect_uri" text NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  "expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "lightspeed_sign_ins_age" ON "lightspeed_sign_ins" ("expires_at");
