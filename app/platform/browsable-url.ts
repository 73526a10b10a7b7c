/** Browsers cannot open 0.0.0.0 or [::], which mean "every address of this machine". */
export const browsableUrl = (url: string): string =>
  url.replace("//0.0.0.0:", "//localhost:").replace("//[::]:", "//localhost:").replace(/:80$/, "");
