import { type ComponentType, lazy } from "react";

/** True on the server. The bundles for browsers contain only the branch where it is false. */
export const isServer = import.meta.env.SSR;

/** The parts that the server loads together with the pages. */
const serverParts: Promise<void>[] = [];

/**
 * A part of a page with its own script, because few pages show it. Browsers load the script when the part is shown, so
 * the part must be inside `<Suspense>`. The server loads it before it renders any page: a suspended part would be
 * missing for readers without scripts.
 */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  if (!isServer) return lazyPart(load);
  let Part: ComponentType<Props>;
  serverParts.push(
    load().then((loaded) => {
      Part = loaded;
    }),
  );
  return (props: Props) => <Part {...props} />;
}

/** The start awaits this after it has loaded the pages. */
export const latePartsLoaded = () => Promise.all(serverParts);

/**
 * A script that cannot be loaded must not break the page. The server-rendered HTML stays and works as without scripts;
 * any other part is missing until the browser is online again.
 */
const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load().catch(() => whenOnline(load)) }));

const whenOnline = <Part,>(load: () => Promise<Part>) =>
  new Promise<Part>((resolve) => {
    addEventListener("online", () => load().then(resolve, () => {}));
  });
