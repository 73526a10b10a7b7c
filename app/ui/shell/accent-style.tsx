import { use, useEffect, useState } from "react";
import { NonceContext, nonceOfPage } from "./nonce.ts";

/**
 * The page's colors. A cached page's policy allows its style element only with unchanged content, so colors that change
 * later go into a separate style sheet.
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
