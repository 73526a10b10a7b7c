import { providerName } from "#app/access/provider/provider.server.ts";
import { listFeeds } from "#app/domain/feeds/feeds.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { areDetailsOn } from "#app/platform/site-settings.server.ts";

/** Lists the data that this site sends out under its current settings, when it does so, and to whom. */

type OutgoingData = { what: string; when: string };

export async function listOutgoingData({ showsHosts }: { showsHosts: boolean }): Promise<OutgoingData[]> {
  const feeds = await listFeeds();
  const at = (address: string) => (showsHosts ? ` (${hostOf(address)})` : "");
  const provider = providerName();
  return [
    ...feeds.map(({ kind, address }) => ({
      what: `A request for titles to another server${at(address)}, feed ${kind}. It holds nothing about members.`,
      when: "When the feed is due.",
    })),
    ...(areDetailsOn()
      ? [
          {
            what: `The numbers of titles, to AniList${at(env.DETAILS_URL)}, and requests for the pictures that it names. They see the address of this site, and nothing about members.`,
            when: "When somebody here lists or opens a title, when there is a video of it here, and while it airs. The answer is kept here, and renewed weekly or twice a year.",
          },
        ]
      : []),
    ...(env.DETAILS
      ? [
          {
            what: `A member's name on AniList, to AniList${at(env.DETAILS_URL)}.`,
            when: "When a member types it to import a list.",
          },
        ]
      : []),
    {
      what: "Requests for posters and other pictures to the servers that the catalog names. They see the address of this site, and not who looks.",
      when: "When somebody opens a page with a picture that is not in the cache.",
    },
    {
      what: "Requests for videos to the servers that a source names, if it is not a file of this site's own folder. They see the address of this site.",
      when: "When somebody plays such a source.",
    },
    {
      what: "A trailer is shown by YouTube, which then sees the browser of whoever watches it.",
      when: "After a press of “Play the trailer”, and never before.",
    },
    ...(env.SMTP_URL === undefined
      ? []
      : [
          {
            what: `Mails to the member's own address, through a mail server${at(env.SMTP_URL)}.`,
            when: "After a sign-up or a change of the address, and when somebody asks for a new password.",
          },
        ]),
    ...(provider === null || env.OAUTH_ISSUER === undefined
      ? []
      : [
          {
            what: `Signing in with ${provider}, which then knows that you use this site${at(env.OAUTH_ISSUER)}.`,
            when: "When somebody chooses to sign in that way.",
          },
        ]),
    ...storage(at),
    ...(env.CATALOG_SHARE === "off"
      ? []
      : [
          {
            what: "Facts about titles. Nothing about members, lists or videos.",
            when: "When another Engawa follows the catalog of this site.",
          },
        ]),
  ];
}

function storage(at: (address: string) => string): OutgoingData[] {
  const address = { disk: undefined, s3: env.S3_ENDPOINT, ipfs: env.IPFS_API_URL }[env.STORAGE];
  if (address === undefined) return [];
  return [
    {
      what: `Pictures that members upload are kept on another server${at(address)}.`,
      when: "When a member uploads one, and when a page shows it.",
    },
  ];
}

const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).host : "a file");
