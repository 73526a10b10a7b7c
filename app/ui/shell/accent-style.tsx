import { use, useEffect, useState } from "react";
import { NonceContext, nonceOfPage } from "./nonce.ts";

/**
 * The page's colors. The policy of a page that many visitors get allows its style element only as it came, so colors that
 * change later go into a style sheet of their own.
 */
export function AccentStyle({ colors }: { colors: string }) {
  const nonce = use(NonceContext) ?? nonceOfPage();
  const [first] = useState(colors);
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(colors);
    document.adoptedStyleSheets = [sheet];
  }, [colors]);
  return (
    <style nonce={nonce} suppressHydrationWarning>
      {first}
    </style>
  );
}
