CREATE TABLE "site_settings" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"sign_ups" text,
	"visitors" text,
	"setup_nonce" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "site_settings_only" CHECK ("site_settings"."only"),
	CONSTRAINT "site_settings_sign_ups" CHECK ("site_settings"."sign_ups" in ('closed', 'invite', 'open')),
	CONSTRAINT "site_settings_visitors" CHECK ("site_settings"."visitors" in ('yes', 'no'))
);
