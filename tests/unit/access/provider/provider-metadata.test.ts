import * as oauth from "oauth4webapi";
import { describe, expect, test } from "vitest";
import { requestOptions } from "#app/access/provider/provider-metadata.server.ts";

describe("a request to a URL with plain http", () => {
  const ask = (issuer: string) =>
    oauth.userInfoRequest(
      { issuer, userinfo_endpoint: "http://localhost:1/me" },
      { client_id: "engawa" },
      "token",
      requestOptions(issuer),
    );

  test("is not sent if the provider itself is on https", async () => {
    await expect(ask("https://provider.example")).rejects.toMatchObject({
      code: oauth.HTTP_REQUEST_FORBIDDEN,
    });
  });

  test("is sent if the provider itself is on plain http", async () => {
    await expect(ask("http://localhost:1")).rejects.toMatchObject({ message: "the provider did not answer" });
  });
});
